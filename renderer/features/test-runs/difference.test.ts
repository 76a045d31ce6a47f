import { expect, it } from 'vitest';
import { differingPieces } from './difference.ts';

it('Two values differ in what is left when the same is taken from both ends [D11]', () => {
  expect(differingPieces('(:a 1 :b 2 :c 3)', '(:a 1 :b 20 :c 3)')).toEqual({
    before: '(:a 1 :b 2',
    expected: '',
    actual: '0',
    after: ' :c 3)',
  });
  const long = 'x'.repeat(100);
  expect(differingPieces(`"${long}A${long}"`, `"${long}B${long}"`)).toEqual({
    before: `…${'x'.repeat(40)}`,
    expected: 'A',
    actual: 'B',
    after: `${'x'.repeat(40)}…`,
  });
});

it('Values that are the same, short, or have nothing in common are not compared [D11]', () => {
  expect([
    differingPieces('(1 2 3 4 5)', '(1 2 3 4 5)'),
    differingPieces('(1 2)', '(1 3)'),
    differingPieces('(:alpha :beta)', '"something else"'),
  ]).toEqual([null, null, null]);
});
