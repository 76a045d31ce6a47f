import { expect, test } from 'vitest';
import type { PackageDefinitions } from '#contract/image/definition.ts';
import { readText } from '#contract/sexp/reader.ts';
import { macroDefinesFunction } from './macro-defined.ts';

const definitions = new Map<string, PackageDefinitions>([
  [
    'SHOP',
    {
      package: 'SHOP',
      more: 0,
      definitions: [
        { kind: 'macro', name: 'MY-DEFUN' },
        { kind: 'function', name: 'MADE' },
        { kind: 'variable', name: '*CART*' },
      ],
    } as never,
  ],
]);

test('A function that a macro of the image defines is told from a call, a variable, and what the image does not know [issue 11.3]', () => {
  const defines = (text: string, inPackage = 'SHOP'): boolean =>
    macroDefinesFunction(text, readText(text).forms[0]!, inPackage, definitions);
  expect(defines('(my-defun made (z) z)')).toBe(true);
  expect(defines('(shop::my-defun made (z) z)')).toBe(true);
  expect(defines('(my-defun missing (z) z)')).toBe(false);
  expect(defines('(my-defun *cart* 1)')).toBe(false);
  expect(defines('(print made)')).toBe(false);
  expect(defines('(my-defun made (z) z)', 'COMMON-LISP-USER')).toBe(false);
  expect(defines('(my-defun)')).toBe(false);
});
