import { describe, expect, it } from 'vitest';
import type { TracedCall } from '#contract/image/observation/profiling.ts';
import { type CallsOfEvaluation, withCalls } from './traced-calls.ts';

const call = (at: number): TracedCall => ({
  call: at + 1,
  caller: null,
  function: 'F',
  depth: 0,
  kind: 'enter',
  values: [],
  more: 0,
  thread: 't',
  threadId: 1,
  at,
  took: null,
});
const calls = (count: number): TracedCall[] => Array.from({ length: count }, (_, at) => call(at));
const NONE: ReadonlyMap<string, CallsOfEvaluation> = new Map();

describe('calls of traced functions', () => {
  it('The first 2,000 calls of an evaluation are kept, and all others counted: those of the image as a sum', () => {
    let all = withCalls(NONE, { evaluation: 'a', calls: calls(1_500), dropped: 0 });
    all = withCalls(all, { evaluation: 'a', calls: calls(600), dropped: 0 });
    expect([all.get('a')!.calls.length, all.get('a')!.left]).toEqual([2_000, 100]);
    all = withCalls(all, { evaluation: 'a', calls: calls(50), dropped: 7 });
    all = withCalls(all, { evaluation: 'a', calls: [], dropped: 9 });
    expect([all.get('a')!.calls.length, all.get('a')!.left]).toEqual([2_000, 168]);
  });

  it('The calls of the latest 50 evaluations are kept', () => {
    let all = NONE;
    for (let index = 0; index < 60; index += 1)
      all = withCalls(all, { evaluation: `${index}`, calls: calls(1), dropped: 0 });
    expect([all.size, all.has('9'), all.has('10')]).toEqual([50, false, true]);
  });
});
