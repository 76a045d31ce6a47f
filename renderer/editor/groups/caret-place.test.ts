import { expect, test } from 'vitest';
import { readText } from '#contract/sexp/reader.ts';
import { placeAt } from './caret-place.ts';

const TEXT = `(defpackage #:shop (:use #:cl))
(in-package #:shop)

(defun total (cart) cart)

;; between
(defmethod area ((s square)) s)
`;

test.each([
  ['in a defpackage', 'defpackage', { package: null, name: 'shop', after: false }],
  ['in another form', 'in-package', { package: null, name: '(in-package …)', after: false }],
  ['in a function', 'cart)', { package: 'SHOP', name: 'total', after: false }],
  ['between definitions', 'between', { package: 'SHOP', name: 'total', after: true }],
  ['in a method', 'square', { package: 'SHOP', name: 'area (square)', after: false }],
])('The place %s is told by its name and package', (_title, word, expected) => {
  expect(placeAt(TEXT, readText(TEXT), TEXT.indexOf(word))).toEqual(expected);
});

test('Before the first definition and in an empty text nothing is told but the package', () => {
  const text = '; a comment\n\n(defun f ())';
  expect(placeAt(text, readText(text), 3)).toEqual({ package: null, name: null, after: false });
  expect(placeAt('', readText(''), 0)).toEqual({ package: null, name: null, after: false });
});
