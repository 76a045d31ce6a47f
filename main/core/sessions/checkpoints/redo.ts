/** Making evaluations again in a copy of the image as it was before them. */
import { endReasons } from '#core/lisp/image-end.ts';
import type { LispImage } from '#core/lisp/image.ts';
import type { ImageEvent } from '#core/lisp/messages.ts';
import type { RedoEntry } from './redo-log.ts';

/** Time limit of the evaluations that are made again: they took a twentieth of that the first time. */
const LIMIT_MS = 5_000;

/** The events that are passed on of an evaluation that is made again: the output was shown the first time. */
const PASSED_ON = new Set<ImageEvent['event']>(['definition-events', 'definitions-changed', 'system-loaded']);

export function isPassedOnInRedo({ event }: ImageEvent): boolean {
  return PASSED_ON.has(event);
}

/**
 * Evaluates them in order; what one now tries outside is denied. `made` is called with how many ended well, after each. Where one does
 * not end well, or not at all, the image is ended: what it did in part must not stay.
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
    // The image is over: told by its end.
  } finally {
    clearTimeout(late);
    stop();
  }
}
