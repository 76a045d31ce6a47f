import { expect, it } from 'vitest';
import { nearText } from './near.ts';

it.each<[string, string[], string]>([
  ['shpo', ['SHOP', 'CART'], ' Near names: SHOP.'],
  ['totall', ['TOTAL', 'TOTALS', 'OTHER'], ' Near names: TOTAL, TOTALS.'],
  ['use', ['USE-VALUE', 'ABORT'], ' Near names: USE-VALUE.'],
  ['x', ['X', 'Y', 'SOMETHING'], ''],
  ['', ['A'], ''],
  ['name', [], ''],
  ['aaa', ['aab', 'aac', 'aad', 'aae', 'aaf', 'aag', 'aab'], ' Near names: aab, aac, aad, aae, aaf.'],
])('X42 what was probably meant by %j among %j', (name, known, text) => {
  expect(nearText(name, known)).toBe(text);
});
