import { expect, it } from 'vitest';
import type { Session } from '#contract/image/session.ts';
import { operatorName, waitsWords } from './pending-approvals.ts';

const effect: Session['effects'][number] = {
  effect: 'e',
  evaluation: 'v',
  operator: 'SB-EXT:RUN-PROGRAM',
  since: 1000,
  place: null,
};

it('The words for a wait say in which call the image waits for the person, and how long [G3]', () => {
  expect(waitsWords([effect], 15_900)).toEqual({ words: 'waiting for you in RUN-PROGRAM', time: '0:14' });
  expect(waitsWords([effect, effect, effect], 75_000)).toEqual({
    words: 'waiting for you in RUN-PROGRAM and 2 more',
    time: '1:14',
  });
  expect(waitsWords([effect], 0)).toEqual({ words: 'waiting for you in RUN-PROGRAM', time: '0:00' });
  expect(waitsWords([], 15_000)).toBeNull();
  expect(operatorName('DELETE-FILE')).toBe('DELETE-FILE');
});
