import { describe, expect, it } from 'vitest';
import type { AgentProgram } from '#contract/hosted-agent.ts';
import {
  imageRefusal,
  inOrder,
  memoryWords,
  planWords,
  takesPrompts,
  tokenWords,
  usageWords,
  versionWords,
} from './words.ts';

const program = (id: string, state: AgentProgram['state']): AgentProgram => ({
  id,
  title: id,
  state,
  version: null,
  tried: '1.0',
  place: null,
  problem: null,
  megabytes: 100,
  install: 'npm install x',
  standings: ['unconfined'],
  limits: null,
  unasked: '',
});

describe('words about agents', () => {
  it('Programs that can be started come first, each kind in its own order [issue 14.3]', () => {
    const programs = [program('a', 'unusable'), program('b', 'missing'), program('c', 'ready'), program('d', 'ready')];
    expect(inOrder(programs).map(({ id }) => id)).toEqual(['c', 'd', 'b', 'a']);
  });

  it('Prompts are taken between turns and queued behind one, and not before or after [issue 14.3]', () => {
    const states = ['starting', 'idle', 'working', 'stopping', 'login', 'ended'] as const;
    expect(states.filter((state) => takesPrompts({ state }))).toEqual(['idle', 'working', 'stopping']);
  });

  it('A version is told with the one that was tried, where they differ [issue 14.1]', () => {
    const found = { tried: '1.2', state: 'ready', megabytes: 100 } as const;
    expect(versionWords({ ...found, version: '1.2' })).toBe('1.2, as tried');
    expect(versionWords({ ...found, version: '1.3' })).toBe('1.3, tried with 1.2');
    expect(versionWords({ ...found, version: null })).toContain('is not known');
  });

  it('A program that can be installed is told with its size, before it is fetched [issue 14.1]', () => {
    const missing = { version: null, tried: '1.2', megabytes: 457 } as const;
    for (const state of ['missing', 'installing'] as const)
      expect(versionWords({ ...missing, state })).toBe('tried with 1.2, takes about 457 MB');
  });

  it('Tokens, memory and plans are rounded as people read them [issue 14.3]', () => {
    expect([950, 12_400, 999_600, 1_250_000].map(tokenWords)).toEqual(['950', '12k', '1.0M', '1.3M']);
    expect([300 * 1_048_576, 1.6 * 1024 * 1_048_576].map(memoryWords)).toEqual(['300 MB', '1.6 GB']);
    expect(usageWords({ used: 100, size: 0, cost: null })).toBe('100 tokens');
    expect(usageWords({ used: 12_400, size: 200_000, cost: '0.12 USD' })).toBe(
      '12k of 200k tokens · 0.12 USD, it says',
    );
    expect(planWords([{ text: 'a', status: 'completed' }])).toBe('1 of 1 step done');
  });
});

it.each([
  ['idle', true, null],
  ['idle', false, 'Codex takes no images. Your text is kept.'],
  ['working', false, 'Codex takes no images. Your text is kept.'],
  ['starting', false, null],
] as const)('An agent that is %s and takes images (%s) has this to say of one: %s', (state, takesImages, expected) => {
  expect(imageRefusal({ state, takesImages, title: 'Codex' })).toBe(expected);
});
