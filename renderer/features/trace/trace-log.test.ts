import { describe, expect, it } from 'vitest';
import type { TracedCall } from '#contract/image/observation/profiling.ts';
import type { TracedCalls } from '#contract/image/observation/tracing.ts';
import { foldAll, microseconds, shownRows, TraceLog } from './trace-log.ts';

const YOU = { id: 'person', kind: 'person' as const, name: 'you' };

function enter(call: number, caller: number | null, more: Partial<TracedCall> = {}): TracedCall {
  const values = [{ text: `${call}`, handle: null }];
  const where = { thread: 'worker', threadId: 1, depth: 0, more: 0, at: call, took: null };
  return { call, caller, function: 'F', kind: 'enter', values, ...where, ...more };
}
const exit = (call: number, more: Partial<TracedCall> = {}): TracedCall =>
  enter(call, null, { kind: 'exit', took: 5, ...more });
const told = (calls: TracedCall[], more: Partial<TracedCalls> = {}): TracedCalls => ({
  evaluation: 'one',
  actor: YOU,
  summary: '(f)',
  calls,
  dropped: 0,
  ...more,
});
const labels = (log: TraceLog, filter = ''): string[] =>
  shownRows(log, filter).rows.map(({ level, label }) => `${level} ${label}`);

describe('the tree of traced calls', () => {
  it('Calls stand below the call that they were made from, by evaluation and thread, with how they ended', () => {
    const log = new TraceLog();
    log.take(told([enter(1, null), enter(2, 1), enter(3, null, { thread: 'other', threadId: 2 })]));
    log.take(told([exit(2, { values: [], took: 1_500 }), exit(1, { kind: 'unwound', values: [] })]));
    expect(labels(log)).toEqual([
      '1 worker, (f), by you',
      '2 (F 1) exited without a value, 5 µs',
      '3 (F 2) → no values, 1.50 ms',
      '1 other, (f), by you',
      '2 (F 3) runs',
    ]);
    const [thread, call] = shownRows(log, '').rows;
    expect([thread!.expanded, call!.position, call!.siblings]).toEqual([true, 1, 1]);
    foldAll(thread!, true);
    expect(labels(log)).toHaveLength(3);
  });

  it('The oldest finished calls make room, with all below them, and are counted', () => {
    const log = new TraceLog(10);
    for (let root = 0; root < 6; root += 1) {
      const first = 1 + root * 3;
      log.take(
        told([
          enter(first, null),
          enter(first + 1, first),
          exit(first + 1),
          enter(first + 2, first),
          exit(first + 2),
          exit(first),
        ]),
      );
    }
    expect([log.count, log.dropped]).toEqual([9, 9]);
    const rows = shownRows(log, '').rows;
    expect(rows.map(({ id }) => id).slice(1)).toEqual(
      [10, 11, 12, 13, 14, 15, 16, 17, 18].map((call) => `one ${call}`),
    );
    expect([rows[1]!.position, rows[1]!.siblings]).toEqual([1, 3]);
  });

  it('Calls within one that does not end are counted where there is no room for them, and so are those that the image left out', () => {
    const log = new TraceLog(3);
    log.take(told([enter(1, null), enter(2, 1), enter(3, 2), enter(4, 3), enter(5, 4)]));
    log.take(told([exit(5), exit(4), exit(3)], { dropped: 7 }));
    log.take(told([], { dropped: 9 }));
    expect([log.count, log.dropped]).toEqual([3, 11]);
  });

  it('A filter shows the calls with its text in name, arguments or values, below those that they were made from', () => {
    const log = new TraceLog();
    log.take(told([enter(1, null), enter(2, 1, { function: 'SHOP::TOTAL' }), enter(3, 1), enter(4, 3)]));
    log.take(told([exit(4, { values: [{ text: '"deep"', handle: 3 }] })]));
    const ids = (filter: string) => shownRows(log, filter).rows.map(({ id }) => id);
    expect(ids('total').slice(1)).toEqual(['one 1', 'one 2']);
    expect(ids('DEEP').slice(1)).toEqual(['one 1', 'one 3', 'one 4']);
    expect(shownRows(log, 'nothing')).toEqual({ rows: [], found: 0 });
  });

  it('While the trace is paused only the ends of calls that are shown are taken', () => {
    const log = new TraceLog();
    log.take(told([enter(1, null)]));
    expect(log.take(told([enter(2, 1), exit(2), exit(1), enter(3, null)]), true)).toBe(2);
    expect(log.take(told([enter(1, null)], { evaluation: 'two' }), true)).toBe(1);
    expect(labels(log)).toEqual(['1 worker, (f), by you', '2 (F 1) → 1, 5 µs']);
  });

  it('A tree as deep as 50,000 calls is shown, folded and forgotten', () => {
    const log = new TraceLog(50_000);
    log.take(told(Array.from({ length: 50_000 }, (_, at) => enter(at + 1, at === 0 ? null : at))));
    expect(shownRows(log, '').rows).toHaveLength(50_001);
    expect(shownRows(log, 'f').found).toBe(50_000);
    log.take(told([exit(1)]));
    log.take(told([enter(1, null)], { evaluation: 'two' }));
    expect(log.count).toBe(1);
  });

  it.each([
    [0, '<1 µs'],
    [999, '999 µs'],
    [1_500, '1.50 ms'],
    [2_340_000, '2.34 s'],
  ])('A time of %i microseconds reads %s', (time, words) => {
    expect(microseconds(time)).toBe(words);
  });
});
