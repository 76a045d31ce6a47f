import { describe, expect, it } from 'vitest';
import { clock, deadlineWords, timeLeft } from './deadline.ts';

describe('time that a card has left', () => {
  it.each([
    [271_000, '4:31'],
    [270_001, '4:31'],
    [59_000, '0:59'],
    [0, '0:00'],
    [-5000, '0:00'],
    [3_729_000, '1:02:09'],
  ])('The time of %i ms is shown as %s [D13]', (left, words) => {
    expect(clock(left)).toBe(words);
  });

  it('The deadline says what happens at its end, or that it stands still [D13]', () => {
    expect([deadlineWords(5000, 0), deadlineWords(null, 0)]).toEqual(['Denied in 0:05', 'Paused while you edit']);
  });

  it.each([
    [0, 10_000, 0, 1],
    [0, 10_000, 5000, 0.5],
    [0, 10_000, 4999, 0.6],
    [0, 10_000, 11_000, 0],
    [0, null, 99_000, 1],
    [0, 0, 0, 0],
  ])('A card asked at %i and denied at %s has at %i a ring of %d [D13]', (asked, deadline, now, part) => {
    expect(timeLeft(asked, deadline, now)).toBeCloseTo(part);
  });
});
