import { expect, it } from 'vitest';
import { suggestionText } from './suggestions.ts';

it.each<[string, string[], string]>([
  ['shpo', ['SHOP', 'CART'], ' Near names: SHOP.'],
  ['totall', ['TOTAL', 'TOTALS', 'OTHER'], ' Near names: TOTAL, TOTALS.'],
  ['use', ['USE-VALUE', 'ABORT'], ' Near names: USE-VALUE.'],
  ['own-onee', ['OWN', 'OWN-ONE'], ' Near names: OWN-ONE.'],
  ['onee', ['TAKE-ONEE', 'ONE', 'ONEES'], ' Near names: ONE, ONEES, TAKE-ONEE.'],
  ['total', ['ACCOUNT', 'TO'], ''],
  ['x', ['X', 'Y', 'SOMETHING'], ''],
  ['', ['A'], ''],
  ['name', [], ''],
  ['aaa', ['aab', 'aac', 'aad', 'aae', 'aaf', 'aag', 'aab'], ' Near names: aab, aac, aad, aae, aaf.'],
])('A suggestion names what was probably meant by %j among %j [X42]', (name, known, text) => {
  expect(suggestionText(name, known)).toBe(text);
});
