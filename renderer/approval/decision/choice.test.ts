import { expect, it } from 'vitest';
import type { CardChoice } from '#contract/decisions/approval.ts';
import { chosenOf, decisionOf } from './choice.ts';

const choice = (kind: CardChoice['kind'], scope: string | null = null): CardChoice => ({
  key: scope === null ? kind : `${kind} ${scope}`,
  kind,
  restart: '',
  title: '',
  detail: '',
  rule: null,
  scope,
});
const choices = [choice('proceed'), choice('always', 'target'), choice('use-path'), choice('deny'), choice('abort')];

it('The restarts of an effect say what is decided [G3]', () => {
  const typed = { path: ' b.csv ', reason: 'Keep it.' };
  expect(choices.map((each) => decisionOf(each, typed))).toEqual([
    { decision: 'approved' },
    { decision: 'approved', remember: 'target' },
    { decision: 'approved', path: 'b.csv' },
    { decision: 'denied', reason: 'Keep it.' },
    { decision: 'denied', reason: '', abort: true },
  ]);
});

it('If the chosen restart is no longer offered, no other restart is chosen [G3]', () => {
  const fewer = [choice('proceed'), choice('deny'), choice('abort')];
  expect([chosenOf(fewer, null), chosenOf(fewer, 'use-path'), chosenOf(fewer, 'always target')]).toMatchObject([
    { kind: 'proceed' },
    null,
    null,
  ]);
});
