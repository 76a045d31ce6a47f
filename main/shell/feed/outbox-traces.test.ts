import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { sentCalls, TracedCalls } from '#contract/image/observation/tracing.ts';
import { Traces } from './outbox-traces.ts';

const YOU = { id: 'person', kind: 'person' as const, name: 'you' };

function told(lines: readonly [call: number, kind: 'enter' | 'exit'][], dropped = 0, evaluation = 'one'): TracedCalls {
  const where = {
    caller: null,
    function: 'F',
    depth: 0,
    values: [],
    more: 0,
    thread: 't',
    threadId: 1,
    at: 0,
    took: null,
  };
  return {
    evaluation,
    actor: YOU,
    summary: '(f)',
    calls: lines.map(([call, kind]) => ({ call, kind, ...where })),
    dropped,
  };
}

const sent = (traces: Traces) =>
  traces.take().map(([, payload]) => {
    const { evaluation, calls: sent, dropped } = payload as z.infer<typeof sentCalls>;
    const calls = JSON.parse(sent) as TracedCalls['calls'];
    return [evaluation, calls.map(({ call, kind }) => `${call} ${kind}`), dropped];
  });

describe('traced calls that wait for a page', () => {
  it('Calls go in batches, each evaluation by itself and in its order', () => {
    const traces = new Traces(() => {}, { atOnce: 3 });
    traces.add(
      told([
        [1, 'enter'],
        [1, 'exit'],
      ]),
    );
    traces.add(
      told(
        [
          [1, 'enter'],
          [1, 'exit'],
        ],
        0,
        'two',
      ),
    );
    expect(sent(traces)).toEqual([
      ['one', ['1 enter', '1 exit'], 0],
      ['two', ['1 enter'], 0],
    ]);
    expect([traces.waits, sent(traces), traces.waits]).toEqual([true, [['two', ['1 exit'], 0]], false]);
  });

  it('Where too many wait whole calls are left out and counted, and those that began are told to their end', () => {
    const traces = new Traces(() => {}, { most: 2 });
    traces.add(
      told(
        [
          [1, 'enter'],
          [2, 'enter'],
          [3, 'enter'],
          [3, 'exit'],
          [2, 'exit'],
        ],
        4,
      ),
    );
    expect(sent(traces)).toEqual([['one', ['1 enter', '2 enter', '2 exit'], 5]]);
    traces.add(
      told(
        [
          [4, 'enter'],
          [4, 'exit'],
          [1, 'exit'],
        ],
        6,
      ),
    );
    expect(sent(traces)).toEqual([['one', ['4 enter', '4 exit', '1 exit'], 7]]);
  });
});
