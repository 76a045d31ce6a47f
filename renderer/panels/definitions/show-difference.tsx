/** One change of a definition in a dialog, and what the person says to it. */
import { call } from '../../bridge.ts';
import { nameOf } from '../../layout/actors.ts';
import { ask } from '../../layout/ask.tsx';
import { mirror } from '../../mirror.ts';
import { clockTime } from '../../ui/time.ts';
import { Difference } from './difference.tsx';
import { shownName } from './model.ts';
import { undoDefinitions } from './undo.tsx';

export interface Changed {
  event: number;
  name: string;
  actor: string | null;
  /** Milliseconds since the epoch. */
  time: number | null;
  /** Nobody has reviewed it. */
  waits: boolean;
}

export async function showDifference({ event, name, actor, time, waits }: Changed): Promise<void> {
  const shown = shownName(name);
  const who = actor === null ? 'Code that ran by itself' : nameOf(actor, mirror.getState().clients);
  const by = who === 'you' ? 'You' : who;
  const answer = await ask({
    title: `What became of ${shown}`,
    text: `${by} changed it in the image${time === null ? '' : ` at ${clockTime(time)}`}${waits ? '. You have not reviewed it.' : '.'}`,
    more: <Difference event={event} />,
    answers: [
      { id: 'close', title: 'Close' },
      { id: 'undo', title: 'Undo…' },
      ...(waits ? [{ id: 'review', title: 'Mark as reviewed', kind: 'primary' } as const] : []),
    ],
  });
  if (answer === 'review') await call('definitions.review', { events: [event], reviewed: true });
  if (answer === 'undo') await undoDefinitions({ events: [event], of: null }, `Undo ${shown}?`);
}
