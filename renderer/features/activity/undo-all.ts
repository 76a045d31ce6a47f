/** Undoes everything that one agent did to definitions and files since a time, at once, or by going back to before it. */
import type { Actor } from '#contract/image/session.ts';
import { call } from '../../base/bridge.ts';
import { notify } from '../../base/notices/notices.tsx';
import { mirror } from '../../base/mirror.ts';
import { clockTime } from '../../ui/time.ts';
import { goBack } from '../checkpoints/go-back.tsx';
import { undoDefinitions } from '../definitions/undo.tsx';
import { checkpointBefore, standingEvents } from './way-back.ts';

/**
 * The time at which the latest connection of a client began, in milliseconds of Unix time; 0 when the log does not hold
 * it.
 */
export function connectedAt(actor: string): number {
  const { events } = mirror.getState().activity;
  const connected = events.findLast(
    (event) => event.kind === 'client-changed' && event.change === 'connected' && event.actor.id === actor,
  );
  return connected?.at ?? 0;
}

/**
 * Undoes all that an actor did since `at`, after asking with the losses of each of the two ways. `at`: milliseconds since
 * the epoch; 0 is all of the living image.
 */
export async function undoAllOf(actor: Pick<Actor, 'id' | 'name'>, at: number): Promise<void> {
  const { entries, more } = await call('definitions.since', { at: at - 1 });
  const events = standingEvents(entries, actor.id);
  const files = await call('activity.takeable', { actor: actor.id, at });
  if (events.length === 0 && files.length === 0) {
    notify(
      `${actor.name} has defined or written nothing${at === 0 ? '' : ` since ${clockTime(at)}`} that could be undone.`,
    );
    return;
  }
  const row = { at, tookMs: null, actor: { ...actor, kind: 'client' as const }, checkpoint: false, detail: '' };
  const checkpoint = checkpointBefore(row, mirror.getState().session.checkpoints);
  const since = at === 0 ? '' : ` since ${clockTime(at)}`;
  const beyond = more > 0 ? ` ${more.toLocaleString('en')} earlier changes are not in the list.` : '';
  const stays = `Values that were set and what others did stay.${beyond}`;
  await undoDefinitions(
    { events, of: null },
    `Undo everything that ${actor.name} ${files.length > 0 ? 'defined and wrote' : 'defined'}${since}?`,
    checkpoint === null
      ? { text: stays, other: null, files }
      : {
          text: `${stays} Going back to “${checkpoint.label}” takes the whole image there, values and your own work too, and leaves files.`,
          files,
          other: { title: 'Go back instead…', run: () => goBack(checkpoint) },
        },
  );
}
