/** Repeats evaluations in an image that went back to the state before them. */
import { endReasons } from '#core/lisp/image-end.ts';
import type { LispImage } from '#core/lisp/image.ts';
import type { ImageEvent } from '#core/lisp/messages.ts';
import type { RedoEntry } from './redo-log.ts';

/** The time limit for the repeated evaluations. The log allows at most a twentieth of this time for their original duration. */
const LIMIT_MS = 5_000;

/** The events of a repeated evaluation that are passed on. The output is left out, because it was shown the first time. */
const PASSED_ON = new Set<ImageEvent['event']>(['definition-events', 'definitions-changed', 'system-loaded']);

export function isPassedOnInRedo({ event }: ImageEvent): boolean {
  return PASSED_ON.has(event);
}

/**
 * Repeats the evaluations in order and denies their effects outside the image. `made` is called after each with the number of successful
 * ones. If one fails or does not end, the image is ended, because its partial changes must not remain.
 */
export async function redo(
  image: LispImage,
  entries: readonly RedoEntry[],
  made: (count: number) => void,
): Promise<void> {
  const stop = image.events.on('event', (event) => {
    if (event.event !== 'effect-requested') return;
    const reason = 'It is evaluated again, because the image went back to a checkpoint';
    const { effect } = event.effect;
    image.request('decide-effect', { effect, decision: 'deny', path: null, reason }).catch(() => {});
  });
  const otherwise = (): void => image.endLife(endReasons.redoneOtherwise);
  const late = setTimeout(otherwise, LIMIT_MS);
  try {
    for (const [index, { fields }] of entries.entries()) {
      const { status } = await image.request('evaluate', fields);
      if (status !== 'ok') {
        const { lifeOver } = image;
        otherwise();
        await lifeOver;
        return;
      }
      made(index + 1);
    }
  } catch {
    // The image has ended. Its end is reported elsewhere.
  } finally {
    clearTimeout(late);
    stop();
  }
}
