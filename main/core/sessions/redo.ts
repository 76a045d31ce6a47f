/** Making evaluations again in a copy of the image as it was before them. */
import type { LispImage } from '#core/lisp/image.ts';
import type { ImageEvent } from '#core/lisp/messages.ts';
import type { RedoEntry } from './redo-log.ts';

/** They took a twentieth of that the first time. */
const LIMIT_MS = 5_000;

/** What is told of an evaluation that is made again: the output was shown the first time. */
const TOLD = new Set<ImageEvent['event']>(['definition-events', 'definitions-changed', 'system-loaded']);

export function toldOfRedo({ event }: ImageEvent): boolean {
  return TOLD.has(event);
}

/**
 * Evaluates them in order, up to the first that does not end well; what one now tries outside is denied.
 * @returns how many ended well. Where the image ended, or was ended because they did not, it is the number of those before that.
 */
export async function redo(image: LispImage, entries: readonly RedoEntry[]): Promise<number> {
  const stop = image.events.on('event', (event) => {
    if (event.event !== 'effect-requested') return;
    const reason = 'It is evaluated again, because the image went back to a checkpoint';
    const { effect } = event.effect;
    image.request('decide-effect', { effect, decision: 'deny', path: null, reason }).catch(() => {});
  });
  const late = setTimeout(() => image.endLife('What was evaluated again did not come to an end.'), LIMIT_MS);
  let made = 0;
  try {
    for (const { fields } of entries) {
      const { status } = await image.request('evaluate', fields);
      if (status !== 'ok') break;
      made += 1;
    }
  } catch {
    // The image is over: told by its end.
  } finally {
    clearTimeout(late);
    stop();
  }
  return made;
}
