import { describe, expect, it } from 'vitest';
import type { ActivityEvent } from '#contract/activity.ts';
import { addActivity, addOlderActivity, addOutput, addProgress, changeDefinitions, PROCESS } from './mirror.ts';
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
const seqs = (log: { events: readonly ActivityEvent[] }): number[] => log.events.map((each) => each.seq);

describe('D12 the activity that is held', () => {
  it('takes each event once and keeps the newest', () => {
    const log = addActivity({ events: [event(1), event(2)], hasOlder: false }, [event(2), event(3), event(4)], 3);
    expect([seqs(log), log.hasOlder]).toEqual([[2, 3, 4], true]);
  });

  it('puts older ones before, and knows when there are no more', () => {
    const log = { events: [event(5), event(6)], hasOlder: true };
    expect(addOlderActivity(log, [event(3), event(4), event(5)], 3)).toMatchObject({ hasOlder: true });
    expect(seqs(addOlderActivity(log, [event(1), event(2)], 3))).toEqual([1, 2, 5, 6]);
    expect(addOlderActivity(log, [event(1), event(2)], 3).hasOlder).toBe(false);
    expect(addOlderActivity(log, [], 3).hasOlder).toBe(false);
  });
});

describe('D8 the definitions that are known', () => {
  it('change by package; an empty package goes', () => {
    const known = new Map([
      ['A', { package: 'A', definitions: [] }],
      ['B', { package: 'B', definitions: [] }],
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
        { package: 'C', definitions: [one] },
        { package: 'B', definitions: [] },
      ],
      removedPackages: ['A'],
    });
    expect([...next.keys()]).toEqual(['C']);
  });
});

describe('D5 output is bounded', () => {
  it('joins text of one stream and keeps streams apart', () => {
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

  it('keeps the end, from a line break on where one is near, and counts the rest', () => {
    const buffer = appendOutput(appendOutput(emptyOutput, 'stdout', 'first\nsecond\n', 12), 'stdout', 'third\n', 12);
    expect([outputText(buffer), buffer.dropped, buffer.length]).toEqual(['third\n', 13, 6]);
    const flood = appendOutput(emptyOutput, 'stdout', 'x'.repeat(100_000), 1000);
    expect([flood.length, flood.dropped]).toEqual([1000, 99_000]);
  });

  it('drops whole buffers, oldest first, but never the output of the process', () => {
    const outputs = addOutput(
      new Map(),
      [
        { evaluation: null, stream: 'process', text: 'p' },
        { evaluation: 'a', stream: 'stdout', text: '1' },
        { evaluation: 'b', stream: 'stdout', text: '2' },
        { evaluation: 'c', stream: 'stdout', text: '3' },
      ],
      3,
    );
    expect([...outputs.keys()]).toEqual([PROCESS, 'b', 'c']);
  });
});

it('D9 of the progress of each run the latest is held, of the newest runs alone', () => {
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
