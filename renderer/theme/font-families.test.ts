import { expect, test } from 'vitest';
import { fontFamilies } from './font-families.ts';

test('Families are quoted, the general ones are not, and nothing that is written ends the quotes', () => {
  expect(fontFamilies('Fira Code')).toBe('"Fira Code"');
  expect(fontFamilies(` 'Fira Code' , 3270 Nerd Font,monospace, `)).toBe('"Fira Code", "3270 Nerd Font", monospace');
  expect(fontFamilies('x"; } body { display: none')).toBe('"x  body  display: none"');
  expect(fontFamilies(' , ')).toBe('');
});
