import { describe, expect, it } from 'vitest';
import { INERT_MS } from '#contract/decisions/decision.ts';
import { counts, isInert, type Obstacles, type Press, whyNot } from './click-guard.ts';

const SHOWN = 10_000;
const OPEN = SHOWN + INERT_MS;

describe('click guard', () => {
  it.each<[string, Press, boolean]>([
    ['pressed and released after it', { trusted: true, pressedAt: OPEN, releasedAt: OPEN + 80 }, true],
    ['told by a screen reader, which presses nothing', { trusted: true, pressedAt: null, releasedAt: OPEN }, true],
    ['made by a script', { trusted: false, pressedAt: OPEN, releasedAt: OPEN + 80 }, false],
    ['within the first moments', { trusted: true, pressedAt: SHOWN + 100, releasedAt: SHOWN + 180 }, false],
    ['pressed within them and released later', { trusted: true, pressedAt: OPEN - 1, releasedAt: OPEN + 500 }, false],
    ['pressed for the card before this one', { trusted: true, pressedAt: SHOWN - 50, releasedAt: OPEN + 10 }, false],
    ['a screen reader within them', { trusted: true, pressedAt: null, releasedAt: OPEN - 1 }, false],
  ])('An approval counts only for the card as it is shown: %s [D13, K3, case 28]', (_title, press, expected) => {
    expect(counts(press, SHOWN)).toBe(expected);
  });

  it('An approval is inert for as long as the card was never drawn [D13, K3, case 28]', () => {
    expect([isInert(Infinity, OPEN), counts({ trusted: true, pressedAt: null, releasedAt: OPEN }, Infinity)]).toEqual([
      true,
      false,
    ]);
  });
});

describe('reason beside a disabled Approve', () => {
  it.each<[Partial<Obstacles>, string | null]>([
    [{}, null],
    [{ inert: true, folded: 1 }, 'This request just arrived. Read it first.'],
    [{ folded: 1 }, 'Open the folded part first.'],
    [{ folded: 2 }, 'Open the 2 folded parts first.'],
    [{ sending: true, inert: true }, 'Sending your decision…'],
    [{ missing: 'Choose a scope first.' }, 'Choose a scope first.'],
    [{ folded: 1, missing: 'Choose a scope first.' }, 'Open the folded part first.'],
    [{ missing: null }, null],
  ])('The obstacles %o give the reason beside Approve: %s [D13]', (obstacles, expected) => {
    expect(whyNot({ inert: false, sending: false, folded: 0, ...obstacles })).toBe(expected);
  });
});
