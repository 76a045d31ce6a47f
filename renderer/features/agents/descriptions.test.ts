import { describe, expect, it } from 'vitest';
import type { AgentProgram } from '#contract/clients/hosted-agent.ts';
import {
  imageRefusal,
  inOrder,
  isFound,
  listWords,
  memoryWords,
  planWords,
  takesPrompts,
  tokenWords,
  usageWords,
  versionWords,
} from './descriptions.ts';

const program = (id: string, state: AgentProgram['state']): AgentProgram => ({
  id,
  title: id,
  description: '',
  page: null,
  recipe: true,
  state,
  version: null,
  tried: '1.0',
  newest: '1.0',
  command: null,
  own: false,
  update: null,
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

  it('Programs with a recipe come before others, and those that the person installs come last [issue 33.2]', () => {
    const programs = [
      { ...program('a', 'missing'), recipe: false, install: null },
      { ...program('b', 'missing'), recipe: false },
      program('c', 'missing'),
      { ...program('d', 'ready'), recipe: false },
    ];
    expect(inOrder(programs).map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a']);
  });

  it('A filter finds a program by words of its title, description and package [issue 33.2]', () => {
    const some = {
      ...program('Grok Build', 'missing'),
      description: 'xAI’s agent',
      install: 'npm install @x/grok',
    };
    expect(['', 'grok', 'BUILD xai', '@x/'].every((filter) => isFound(some, filter))).toBe(true);
    expect(isFound(some, 'grok kimi')).toBe(false);
  });

  it('The list is told with its date, and with what was left out of it [issue 33.2]', () => {
    const at = new Date(2026, 10, 28, 12).getTime();
    expect(listWords({ at: null, leftOut: 0 })).toBe('The list that came with this release.');
    expect(listWords({ at, leftOut: 0 })).toBe('The ACP registry’s list of 28 November 2026.');
    expect(listWords({ at, leftOut: 2 })).toContain(' 2 entries were ignored, because this release cannot read them.');
  });

  it('A version is told with the one that was tried, where they differ [issue 14.1]', () => {
    const found = { tried: '1.2', newest: '1.4', state: 'ready', megabytes: 100 } as const;
    expect(versionWords({ ...found, version: '1.2' })).toBe('1.2, as tried');
    expect(versionWords({ ...found, version: '1.3' })).toBe('1.3, tested with 1.2');
    expect(versionWords({ ...found, version: null })).toContain('unknown version');
    expect(versionWords({ ...found, version: '1.3', tried: null })).toBe('1.3');
  });

  it('A program that can be installed is told with its size, before it is fetched [issue 14.1]', () => {
    const missing = { version: null, tried: '1.2', newest: '1.3', megabytes: 457 } as const;
    for (const state of ['missing', 'installing'] as const)
      expect(versionWords({ ...missing, state })).toBe('1.3, tested with 1.2, about 457 MB');
  });

  it('Tokens, memory and plans are rounded as people read them [issue 14.3]', () => {
    expect([950, 12_400, 999_600, 1_250_000].map(tokenWords)).toEqual(['950', '12k', '1.0M', '1.3M']);
    expect([300 * 1_048_576, 1.6 * 1024 * 1_048_576].map(memoryWords)).toEqual(['300 MB', '1.6 GB']);
    expect(usageWords({ used: 100, size: 0, cost: null })).toBe('100 tokens');
    expect(usageWords({ used: 12_400, size: 200_000, cost: '0.12 USD' })).toBe(
      '12k of 200k tokens · 0.12 USD (reported by the agent)',
    );
    expect(planWords([{ text: 'a', status: 'completed' }])).toBe('1 of 1 step done');
  });
});

it.each([
  ['idle', true, null],
  ['idle', false, 'Codex does not accept images. Your text is still here.'],
  ['working', false, 'Codex does not accept images. Your text is still here.'],
  ['starting', false, null],
] as const)('An agent that is %s and takes images (%s) has this to say of one: %s', (state, takesImages, expected) => {
  expect(imageRefusal({ state, takesImages, title: 'Codex' })).toBe(expected);
});
