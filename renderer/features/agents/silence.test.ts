import { describe, expect, it } from 'vitest';
import type { AgentItem } from '#contract/clients/hosted-agent.ts';
import { forgetHeard, hear, silenceOf } from './silence.ts';

const WORKS = { id: 'a', state: 'working', turnStartedAt: 1_000, asks: false } as const;
const call = (status: 'running' | 'done'): AgentItem => ({
  kind: 'call',
  seq: 1,
  at: 0,
  id: 'c',
  title: 'evaluate-lisp',
  status,
  tool: 'evaluate-lisp',
  call: null,
  input: { text: '', cut: 0 },
  output: { text: '', cut: 0 },
  files: [],
});

describe('Silence of an agent', () => {
  it('Counts from the start of the turn, and from the last word [issue 33.2]', () => {
    expect([20_000, 21_001, 26_000].map((now) => silenceOf(WORKS, undefined, now))).toEqual([null, 20_001, 25_000]);
    hear('a', 20_000);
    expect(silenceOf(WORKS, undefined, 26_000)).toBeNull();
    expect(silenceOf(WORKS, undefined, 41_000)).toBe(21_000);
    forgetHeard('a');
  });

  it('Is none while a call goes on, the person is asked, or nothing is to be done [issue 33.2]', () => {
    expect(silenceOf(WORKS, call('running'), 90_000)).toBeNull();
    expect(silenceOf(WORKS, call('done'), 90_000)).toBe(89_000);
    expect(silenceOf({ ...WORKS, asks: true }, undefined, 90_000)).toBeNull();
    expect(silenceOf({ ...WORKS, state: 'idle', turnStartedAt: null }, undefined, 90_000)).toBeNull();
  });
});
