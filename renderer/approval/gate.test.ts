import { describe, expect, it } from 'vitest';
import { counts, INERT_MS, isInert, type Obstacles, type Press, whyNot } from './gate.ts';

const SHOWN = 10_000;
const OPEN = SHOWN + INERT_MS;

describe('D13 K3 case 28 an approval counts only when it was made for the card as it is shown', () => {
  it.each<[string, Press, boolean]>([
    ['pressed and released after it', { trusted: true, pressedAt: OPEN, releasedAt: OPEN + 80 }, true],
    ['told by a screen reader, which presses nothing', { trusted: true, pressedAt: null, releasedAt: OPEN }, true],
    ['made by a script', { trusted: false, pressedAt: OPEN, releasedAt: OPEN + 80 }, false],
    ['within the first moments', { trusted: true, pressedAt: SHOWN + 100, releasedAt: SHOWN + 180 }, false],
    ['pressed within them and released later', { trusted: true, pressedAt: OPEN - 1, releasedAt: OPEN + 500 }, false],
    ['pressed for the card before this one', { trusted: true, pressedAt: SHOWN - 50, releasedAt: OPEN + 10 }, false],
    ['a screen reader within them', { trusted: true, pressedAt: null, releasedAt: OPEN - 1 }, false],
  ])('%s', (_title, press, expected) => {
    expect(counts(press, SHOWN)).toBe(expected);
  });

  it('is inert for as long as the card was never drawn', () => {
    expect([isInert(Infinity, OPEN), counts({ trusted: true, pressedAt: null, releasedAt: OPEN }, Infinity)]).toEqual([
      true,
      false,
    ]);
  });
});

describe('D13 the reason beside a disabled Approve', () => {
  it.each<[Partial<Obstacles>, string | null]>([
    [{}, null],
    [{ inert: true, folded: 1 }, 'Just arrived. Look first.'],
    [{ folded: 1 }, 'Open the folded part first.'],
    [{ folded: 2 }, 'Open the 2 folded parts first.'],
    [{ sending: true, inert: true }, 'Sending your decision.'],
  ])('%o', (obstacles, expected) => {
    expect(whyNot({ inert: false, sending: false, folded: 0, ...obstacles })).toBe(expected);
  });
});
