import { expect, it } from 'vitest';
import { foldedFrames } from './folded-frames.ts';

const numbered = (texts: string[]) => texts.map((text, index) => ({ index, text }));

it('Frames that are alike are folded, and those after them keep their numbers [issue 35.1]', () => {
  const deep = Array<string>(90).fill('(DEEP 1)');
  expect(foldedFrames(numbered(['(CAR 1)', ...deep, '(CALLER)', '(EVAL (CALLER))']))).toEqual([
    '0: (CAR 1)',
    '1: (DEEP 1)',
    '2: (DEEP 1)',
    '3: (DEEP 1)',
    '… 87 more like this',
    '91: (CALLER)',
    '92: (EVAL (CALLER))',
  ]);
  expect(foldedFrames(numbered(deep)).at(-1)).toBe('… at least 87 more like this');
  expect(
    foldedFrames([
      { index: 0, text: '(DEEP 3)' },
      { index: 1, text: '(DEEP 2)', alike: 700 },
      { index: 702, text: '(DEEP 2)' },
    ]),
  ).toEqual(['0: (DEEP 3)', '1: (DEEP 2)', '… 700 more like this', '702: (DEEP 2)']);
  expect(foldedFrames(numbered(['(A)', '(A)', '(B)']))).toEqual(['0: (A)', '1: (A)', '2: (B)']);
  expect(foldedFrames([])).toEqual([]);
});
