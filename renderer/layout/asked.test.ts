import { expect, it } from 'vitest';
import type { AskedEffect } from '#contract/session.ts';
import { operatorName, waitsWords } from './asked.ts';

const asked: AskedEffect = { effect: 'e', evaluation: 'v', operator: 'SB-EXT:RUN-PROGRAM', since: 1000, place: null };

it('G3 says in which call the image waits for the person, and how long', () => {
  expect(waitsWords([asked], 15_900)).toEqual({ words: 'waits for you in RUN-PROGRAM', time: '0:14' });
  expect(waitsWords([asked, asked, asked], 75_000)).toEqual({
    words: 'waits for you in RUN-PROGRAM and 2 more',
    time: '1:14',
  });
  expect(waitsWords([asked], 0)).toEqual({ words: 'waits for you in RUN-PROGRAM', time: '0:00' });
  expect(waitsWords([], 15_000)).toBeNull();
  expect(operatorName('DELETE-FILE')).toBe('DELETE-FILE');
});
