/** Stops an evaluation in steps, two seconds apart: first it is asked to unwind, then its thread is ended, then the image is ended. */
import { endReasons } from '#core/lisp/image-end.ts';
import type { LispImage } from '#core/lisp/image.ts';

const STEP_MS = 2_000;
const ASK_AGAIN_MS = 50;

/**
 * Stops `evaluation`; `finished` resolves when its answer has arrived. Returns the step that ended the evaluation or the image. With
 * `holds`, an evaluation whose errors are held waits in the debugger instead, which also counts as an answer.
 */
export async function stop(
  image: LispImage,
  evaluation: string,
  finished: Promise<unknown>,
  { holds = false } = {},
): Promise<'interrupted' | 'terminated' | 'killed'> {
  const asked = holds ? { evaluation, hold: true } : { evaluation };
  if (await within(attempt(() => image.request('interrupt', asked), finished))) return 'interrupted';
  if (await within(attempt(() => image.request('terminate', { evaluation }), finished))) return 'terminated';
  image.endLife(endReasons.notStopped);
  await finished;
  return 'killed';
}

/** Repeats the request until the image knows the evaluation, because the evaluation's own request may still be on its way. */
async function attempt(ask: () => Promise<{ found: boolean }>, finished: Promise<unknown>): Promise<void> {
  const over = finished.then(() => true);
  for (let known = false; !known;) {
    known = await ask().then(
      ({ found }) => found,
      () => true, // the image died, which also ends the evaluation
    );
    if (!known && (await Promise.race([over, pause(ASK_AGAIN_MS)]))) return;
  }
  await finished;
}

function pause(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms).unref());
}

/** Resolves with true if `work` completes within the time of one step. */
async function within(work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), STEP_MS);
  });
  const inTime = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}
