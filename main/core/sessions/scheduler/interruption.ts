/** The ladder that stops an evaluation: ask it to unwind, end its thread, end the image; two seconds between the steps. */
import { endReasons } from '#core/lisp/image-end.ts';
import type { LispImage } from '#core/lisp/image.ts';

const STEP_MS = 2_000;
const ASK_AGAIN_MS = 50;

/**
 * Stops `evaluation`; `finished` resolves when its answer has come. Returns when the evaluation is over or the image was
 * killed, and says which step did it. With `holds` one whose error is to be held waits in the debugger instead, which is an answer too.
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

/** Asks until the image knows the evaluation: the request to evaluate may still be on its way. */
async function attempt(ask: () => Promise<{ found: boolean }>, finished: Promise<unknown>): Promise<void> {
  const over = finished.then(() => true);
  for (let known = false; !known;) {
    known = await ask().then(
      ({ found }) => found,
      () => true, // an image that died has finished it too
    );
    if (!known && (await Promise.race([over, pause(ASK_AGAIN_MS)]))) return;
  }
  await finished;
}

function pause(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms).unref());
}

/** Resolves with true when `work` ends within one step of the ladder. */
async function within(work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), STEP_MS);
  });
  const inTime = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}
