import { expect, it } from 'vitest';
import { decide, type ClientPolicy, type PolicyRequest } from './policy.ts';
import { reasonOf } from './reason.ts';

const client: ClientPolicy = { id: 'client:a', name: 'a', mode: 'collaborate', paused: null, effects: 'ask' };
const tool = (level: 'cautious' | 'dangerous'): PolicyRequest => ({
  kind: 'tool',
  tool: 'write-file',
  level,
  target: null,
  paths: [],
});
const effect: PolicyRequest = {
  kind: 'effect',
  effect: 'delete',
  target: '/p/a',
  paths: ['/p/a'],
  evaluation: null,
  system: null,
};

it.each([
  ['a dangerous tool', tool('dangerous'), 'collaborate', 'level', /^A dangerous tool needs approval each time/],
  ['what changes the image', tool('cautious'), 'propose', 'mode', /^In propose mode, a client needs approval/],
  ['an effect', effect, 'collaborate', 'effects', /outside the image needs approval/],
] as const)(
  'The reason of a request says what decided about %s, and what would have to change [X36]',
  (_name, request, mode, rule, words) => {
    const verdict = decide(request, { ...client, mode }, []);
    expect(verdict.decision).toBe('ask');
    const reason = reasonOf(verdict, mode);
    expect(reason).toMatchObject({ rule, mode, words: expect.stringMatching(words) as string });
    expect([reason.less, reason.more].every((text) => text.endsWith('.'))).toBe(true);
  },
);

it('The reason of a request names a rule of the settings by its own words [X36]', () => {
  const rule = { id: 'mine', decision: 'ask', client: null, subject: { effect: 'delete' }, granted: false } as const;
  const verdict = decide(effect, client, [rule]);
  expect(reasonOf(verdict, 'collaborate')).toMatchObject({
    rule: 'mine',
    words: 'Rule mine says ask for effect delete.',
    less: 'Remove that rule.',
  });
});

it('The reason of a request for a file that configures programs offers no way to be asked less [X36]', () => {
  const verdict = decide({ ...effect, configures: 'A shell runs it.' }, client, []);
  expect(reasonOf(verdict, 'collaborate', 'A shell runs it.').less).toMatch(/^Nothing: each change/);
  expect(reasonOf(verdict, 'collaborate', null).less).not.toMatch(/^Nothing/);
});
