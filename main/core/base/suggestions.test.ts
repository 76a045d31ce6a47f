import { expect, it } from 'vitest';
import { suggestionText } from './suggestions.ts';

it.each<[string, string[], string]>([
  ['shpo', ['SHOP', 'CART'], ' Did you mean SHOP?'],
  ['totall', ['TOTAL', 'TOTALS', 'OTHER'], ' Did you mean TOTAL, TOTALS?'],
  ['use', ['USE-VALUE', 'ABORT'], ' Did you mean USE-VALUE?'],
  ['own-onee', ['OWN', 'OWN-ONE'], ' Did you mean OWN-ONE?'],
  ['onee', ['TAKE-ONEE', 'ONE', 'ONEES'], ' Did you mean ONE, ONEES, TAKE-ONEE?'],
  ['total', ['ACCOUNT', 'TO'], ''],
  ['x', ['X', 'Y', 'SOMETHING'], ''],
  ['', ['A'], ''],
  ['name', [], ''],
  ['aaa', ['aab', 'aac', 'aad', 'aae', 'aaf', 'aag', 'aab'], ' Did you mean aab, aac, aad, aae, aaf?'],
])('A suggestion names what was probably meant by %j among %j [X42]', (name, known, text) => {
  expect(suggestionText(name, known)).toBe(text);
});
