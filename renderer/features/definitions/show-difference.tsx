/** The dialog that shows the change of a definition, and lets the person undo the change or mark it as reviewed. */
import { call } from '../../base/bridge.ts';
import { nameOf } from '../../base/actors.ts';
import { ask } from '../../base/notices/ask.tsx';
import { mirror } from '../../base/mirror.ts';
import { clockTime } from '../../ui/time.ts';
import { Difference } from './difference.tsx';
import { shownName } from './definition-rows.ts';
import { undoDefinitions } from './undo.tsx';

export interface Changed {
  event: number;
  name: string;
  actor: string | null;
  /** Milliseconds since the epoch. */
  time: number | null;
  /** True if the change has not been reviewed. */
  waits: boolean;
}

export async function showDifference({ event, name, actor, time, waits }: Changed): Promise<void> {
  const shown = shownName(name);
  const who = actor === null ? 'Code that ran automatically' : nameOf(actor, mirror.getState().clients);
  const by = who === 'you' ? 'You' : who;
  // Looks up the change in the current state, because a review applies to the image in which the person sees the change.
  const life = mirror.getState().unreviewed.entries.find(({ id }) => id === event)?.life;
  const answer = await ask({
    title: `Change of ${shown}`,
    text: `${by} changed it in the image${time === null ? '' : ` at ${clockTime(time)}`}${waits ? '. You have not reviewed it.' : '.'}`,
    more: <Difference event={event} />,
    answers: [
      { id: 'close', title: 'Close' },
      { id: 'undo', title: 'Undo…' },
      ...(waits ? [{ id: 'review', title: 'Mark as reviewed', kind: 'primary' } as const] : []),
    ],
  });
  if (answer === 'review' && life !== undefined)
    await call('definitions.review', { events: [{ life, id: event }], reviewed: true });
  if (answer === 'undo') await undoDefinitions({ events: [event], of: null }, `Undo ${shown}?`);
}
