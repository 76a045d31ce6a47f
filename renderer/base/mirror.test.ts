import { describe, expect, it } from 'vitest';
import type { ActivityEvent } from '#contract/activity.ts';
import {
  type ActivityLog,
  addActivity,
  addOlderActivity,
  addOutput,
  addProgress,
  changeDefinitions,
  fillGap,
  missingActivity,
  PROCESS,
} from './mirror.ts';
import { appendOutput, emptyOutput, outputText } from './output.ts';

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

describe('definitions that are known', () => {
  it('The known definitions change by package, and an empty package goes [D8]', () => {
    const known = new Map([
      ['A', { package: 'A', definitions: [], more: 0 }],
      ['B', { package: 'B', definitions: [], more: 0 }],
    ]);
    const one = {
      kind: 'function' as const,
      name: 'F',
      lambdaList: '()',
      value: null,
      documentation: null,
      source: null,
      actor: null,
      event: null,
      evaluation: null,
      time: null,
    };
    const next = changeDefinitions(known, {
      packages: [
        { package: 'C', definitions: [one], more: 0 },
        { package: 'B', definitions: [], more: 0 },
      ],
      removedPackages: ['A'],
    });
    expect([...next.keys()]).toEqual(['C']);
  });
});

describe('bounded output', () => {
  it('The output joins text of one stream and keeps streams apart [D5]', () => {
    const buffer = appendOutput(appendOutput(appendOutput(emptyOutput, 'stdout', 'a'), 'stdout', 'b'), 'stderr', 'c');
    expect(buffer).toEqual({
      chunks: [
        { stream: 'stdout', text: 'ab' },
        { stream: 'stderr', text: 'c' },
      ],
      length: 3,
      dropped: 0,
    });
  });

  it('The output keeps its end, from a line break on where one is near, and counts the rest [D5]', () => {
    const buffer = appendOutput(appendOutput(emptyOutput, 'stdout', 'first\nsecond\n', 12), 'stdout', 'third\n', 12);
    expect([outputText(buffer), buffer.dropped, buffer.length]).toEqual(['third\n', 13, 6]);
    const flood = appendOutput(emptyOutput, 'stdout', 'x'.repeat(100_000), 1000);
    expect([flood.length, flood.dropped]).toEqual([1000, 99_000]);
  });

  it('The output drops whole buffers, oldest first, but never the output of the process [D5]', () => {
    const outputs = addOutput(
      new Map(),
      [
        { evaluation: null, stream: 'process', text: 'p', left: 0 },
        { evaluation: 'a', stream: 'stdout', text: '1', left: 0 },
        { evaluation: 'b', stream: 'stdout', text: '2', left: 0 },
        { evaluation: 'c', stream: 'stdout', text: '3', left: 0 },
      ],
      3,
    );
    expect([...outputs.keys()]).toEqual([PROCESS, 'b', 'c']);
  });

  it('The output counts what did not come with what it does not keep [D5]', () => {
    const first = addOutput(new Map(), [{ evaluation: 'a', stream: 'stdout', text: 'abc', left: 0 }]);
    const [[, buffer] = []] = addOutput(first, [{ evaluation: 'a', stream: 'stdout', text: 'xyz', left: 10 }]);
    expect([outputText(buffer!), buffer!.dropped]).toEqual(['xyz', 13]);
  });
});

it('The progress of each run is held at its latest, for the newest runs alone [D9]', () => {
  const progress = (evaluation: string, done: number) =>
    ({ evaluation, system: 's', done, total: 9, action: 'load', component: 's/f' }) as const;
  let held = addProgress(new Map(), progress('a', 1), 2);
  for (const [evaluation, done] of [
    ['b', 1],
    ['a', 2],
    ['c', 1],
  ] as const)
    held = addProgress(held, progress(evaluation, done), 2);
  expect([...held.values()].map(({ evaluation, done }) => [evaluation, done])).toEqual([
    ['a', 2],
    ['c', 1],
  ]);
});
