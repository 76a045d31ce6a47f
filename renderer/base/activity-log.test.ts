import { describe, expect, it } from 'vitest';
import type { ActivityEvent } from '#contract/decisions/activity.ts';
import { type ActivityLog, addActivity, addOlderActivity, fillGap, missingActivity } from './activity-log.ts';

const event = (seq: number): ActivityEvent => ({
  kind: 'session-changed',
  change: 'started',
  summary: '',
  at: 0,
  seq,
  actor: { id: 'person', kind: 'person', name: 'you' },
  session: null,
  parent: null,
});
const logOf = (...numbers: number[]): ActivityLog => ({
  events: numbers.map(event),
  hasOlder: false,
  gaps: [],
  unheld: 0,
  filled: 0,
});
const seqs = (log: { events: readonly ActivityEvent[] }): number[] => log.events.map((each) => each.seq);

describe('activity that the page holds', () => {
  it('The activity log takes each event once and keeps the newest [D12]', () => {
    const log = addActivity(logOf(1, 2), [event(2), event(3), event(4)], 3);
    expect([seqs(log), log.hasOlder]).toEqual([[2, 3, 4], true]);
  });

  it('The activity log puts older events before, and knows when there are no more [D12]', () => {
    const log = { ...logOf(5, 6), hasOlder: true };
    expect(addOlderActivity(log, [event(3), event(4), event(5)], 3)).toMatchObject({ hasOlder: true });
    expect(seqs(addOlderActivity(log, [event(1), event(2)], 3))).toEqual([1, 2, 5, 6]);
    expect(addOlderActivity(log, [event(1), event(2)], 3).hasOlder).toBe(false);
    expect(addOlderActivity(log, [], 3).hasOlder).toBe(false);
  });

  it('The activity log counts what did not come, takes it in when it is asked for, and says what nobody holds any more [D12]', () => {
    const log = addActivity(logOf(1, 2), [event(10), event(11)]);
    expect([missingActivity(log), log.gaps]).toEqual([7, [{ after: 2, before: 10 }]]);
    const some = fillGap(log, log.gaps[0]!, [event(7), event(8), event(9)], 3);
    expect([seqs(some), missingActivity(some), some.unheld]).toEqual([[1, 2, 7, 8, 9, 10, 11], 4, 0]);
    const rest = fillGap(some, some.gaps[0]!, [event(5), event(6)], 3);
    expect([seqs(rest), missingActivity(rest), rest.unheld]).toEqual([[1, 2, 5, 6, 7, 8, 9, 10, 11], 0, 2]);
    const all = fillGap(log, log.gaps[0]!, [2, 3, 4, 5, 6, 7, 8, 9].map(event), 8);
    expect([seqs(all), missingActivity(all), all.unheld]).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 0, 0]);
  });
});
