import { expect, it } from 'vitest';
import type { EffectRecord } from '#contract/effect.ts';
import { groupKeyOf, loadKeyOf, threadKeyOf } from './grouping.ts';

const session = { id: 's1' };
const other = { id: 's2' };

const EFFECT = {
  effect: 'i1-1',
  evaluation: 'e1',
  thread: 'worker',
  definedBy: null,
  kind: 'delete',
  operator: 'DELETE-FILE',
  target: '/p/a',
  change: null,
  facts: [],
  system: null,
  systemFile: null,
} as Partial<EffectRecord> as EffectRecord;

const an = (change: Partial<EffectRecord>): EffectRecord => ({ ...EFFECT, ...change });

/** Which of the changes give another key than the effect has. */
function telling(keyOf: (of: { id: string }, effect: EffectRecord) => string, effect: EffectRecord = EFFECT): string[] {
  const changes = {
    session: keyOf(other, effect),
    effect: keyOf(session, { ...effect, effect: 'i1-2' }),
    evaluation: keyOf(session, { ...effect, evaluation: 'e2' }),
    thread: keyOf(session, { ...effect, thread: 'timer' }),
    kind: keyOf(session, { ...effect, kind: 'write' }),
    target: keyOf(session, { ...effect, target: '/p/b' }),
    system: keyOf(session, { ...effect, system: 'drakma' }),
  };
  return Object.entries(changes).flatMap(([name, key]) => (key === keyOf(session, effect) ? [] : [name]));
}

it('Effects share a card that one evaluation of one image asks for in the same way [G3]', () => {
  expect(telling(groupKeyOf)).toEqual(['session', 'evaluation', 'kind', 'system']);
});

it('Effects of no evaluation share no card [G3]', () => {
  expect(telling(groupKeyOf, an({ evaluation: null }))).toEqual(['session', 'effect', 'evaluation', 'kind', 'system']);
});

it('Effects belong to one load that come of the same system in one evaluation of one image [G4]', () => {
  expect(telling(loadKeyOf)).toEqual(['session', 'evaluation', 'system']);
  expect(telling(loadKeyOf, an({ evaluation: null }))).toEqual(['session', 'effect', 'evaluation', 'system']);
});

it('Effects come of one thread that one evaluation of one image has [G3]', () => {
  expect(telling(threadKeyOf)).toEqual(['session', 'evaluation', 'thread']);
});
