import { expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { anEffect } from './effect.fixture.ts';
import { announcementOf, factOf } from './history.ts';

const session = { id: 's1' };
const effect = anEffect({ kind: 'delete', operator: 'DELETE-FILE', target: '/p/a' });

it('The audit has an effect that is over with its outcome and rule, in the same order for ever [K5]', () => {
  const settled = { ...effect, state: 'settled', outcome: 'proceeded', decision: null } as const;
  expect(JSON.stringify(factOf(settled, session, PERSON, 'you approved it'))).toBe(
    '{"effect":"delete","evaluation":"v1","parent":"v1","actor":{"id":"person","kind":"person","name":"you"},"session":"s1","operator":"DELETE-FILE","target":"/p/a","outcome":"proceeded","rule":"you approved it"}',
  );
});

it('The audit has an effect that nobody is asked about before it goes on, without an outcome [K5]', () => {
  expect(JSON.stringify(announcementOf(effect, session, PERSON, 'a rule allows it'))).toBe(
    '{"effect":"delete","evaluation":"v1","parent":"v1","actor":{"id":"person","kind":"person","name":"you"},"session":"s1","operator":"DELETE-FILE","target":"/p/a","rule":"a rule allows it"}',
  );
});
