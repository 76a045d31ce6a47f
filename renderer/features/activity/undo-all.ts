/**
 * Undoes everything that one agent has done to definitions and files since a given time, either in one step or by going back to an earlier
 * checkpoint.
 */
import type { Actor } from '#contract/image/session.ts';
import { call } from '../../base/bridge.ts';
import { notify } from '../../base/notices/notices.tsx';
import { mirror } from '../../base/mirror.ts';
import { clockTime } from '../../ui/time.ts';
import { goBack } from '../checkpoints/go-back.tsx';
import { undoDefinitions } from '../definitions/undo.tsx';
import { checkpointBefore, standingEvents } from './way-back.ts';

/** Returns the time at which a client's latest connection started, in milliseconds of Unix time; 0 if the log does not contain it. */
export function connectedAt(actor: string): number {
  const { events } = mirror.getState().activity;
  const connected = events.findLast(
    (event) => event.kind === 'client-changed' && event.change === 'connected' && event.actor.id === actor,
  );
  return connected?.at ?? 0;
}

/**
 * Undoes everything that an actor has done since `at`. Asks first, and explains what each of the two methods loses. `at`: milliseconds of
 * Unix time; 0 means the whole life of the image.
 */
export async function undoAllOf(actor: Pick<Actor, 'id' | 'name'>, at: number): Promise<void> {
  const { entries, more } = await call('definitions.since', { at: at - 1 });
  const events = standingEvents(entries, actor.id);
  const files = await call('activity.takeable', { actor: actor.id, at });
  if (events.length === 0 && files.length === 0) {
    notify(
      `There is nothing to undo: ${actor.name} has not defined or written anything${at === 0 ? '' : ` since ${clockTime(at)}`}.`,
    );
    return;
  }
  const row = { at, tookMs: null, actor: { ...actor, kind: 'client' as const }, checkpoint: false, detail: '' };
  const checkpoint = checkpointBefore(row, mirror.getState().session.checkpoints);
  const since = at === 0 ? '' : ` since ${clockTime(at)}`;
  const beyond = more > 0 ? ` ${more.toLocaleString('en')} earlier changes are not in the list.` : '';
  const stays = `Values that were set and the changes of others are not undone.${beyond}`;
  await undoDefinitions(
    { events, of: null },
    `Undo everything that ${actor.name} ${files.length > 0 ? 'defined and wrote' : 'defined'}${since}?`,
    checkpoint === null
      ? { text: stays, other: null, files }
      : {
          text: `${stays} Going back to “${checkpoint.label}” returns the whole image to that state, including values and your own work, but not files.`,
          files,
          other: { title: 'Go back instead…', run: () => goBack(checkpoint) },
        },
  );
}
