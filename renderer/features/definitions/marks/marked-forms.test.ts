import { expect, it } from 'vitest';
import type { DefinitionEntry } from '#contract/image/definition.ts';
import { readText } from '#contract/sexp/reader.ts';
import { markedForms } from './marked-forms.ts';

const entry = (kind: DefinitionEntry['kind'], name: string, inPackage: string): DefinitionEntry => ({
  id: 1,
  kind,
  name,
  package: inPackage,
  operation: 'redefined',
  actor: 'client:codex',
  evaluation: 'e',
  time: 0,
  source: null,
  hasText: true,
  undoes: null,
  life: 1,
  author: null,
  code: null,
  seen: false,
  reviewed: false,
});

const text = `(defvar *cart* nil)
(in-package :shop)
(defun total (cart) cart)
(defmethod discount :around ((customer club-member) line) 0)
(defvar *cart* nil)
(total *cart*)
`;

it('The editor marks the forms whose definition an agent changed, by package, kind and name [D16]', () => {
  const marked = (...entries: DefinitionEntry[]): string[] =>
    markedForms(text, readText(text), entries).map(({ start, end }) => text.slice(start, end).slice(0, 18));
  expect(marked(entry('function', 'TOTAL', 'SHOP'))).toEqual(['(defun total (cart']);
  expect(marked(entry('function', 'TOTAL', 'COMMON-LISP-USER'), entry('variable', 'TOTAL', 'SHOP'))).toEqual([]);
  expect(marked(entry('variable', '*CART*', 'COMMON-LISP-USER'))).toEqual(['(defvar *cart* nil']);
  expect(marked(entry('method', 'DISCOUNT :AROUND (CLUB-MEMBER T)', 'SHOP'))).toEqual(['(defmethod discoun']);
  expect(marked()).toEqual([]);
});
