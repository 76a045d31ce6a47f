import { expect, it } from 'vitest';
import { readText } from '#contract/sexp/reader.ts';
import { atomNamed, functionStub, importInto } from './fixes.ts';

const formsOf = (text: string) => readText(text).forms;

it('A stub takes the arguments of the call for its parameters [issue 39.3]', () => {
  const stubOf = (text: string): string => functionStub(text, atomNamed(text, formsOf(text), 'FOO')!);
  expect(stubOf("(list (foo count 'b (car x) :key t))")).toBe(
    '(defun foo (count argument-2 argument-3 argument-4 argument-5)\n  (declare (ignore count argument-2 argument-3 argument-4 argument-5))\n  (error "foo is not written yet."))',
  );
  expect(stubOf("(mapcar #'foo items)")).toBe('(defun foo ()\n  (error "foo is not written yet."))');
});

it('A name is found by its symbol, whatever its case and package [issue 39.3]', () => {
  const text = '(defun a (x) "foo" (shop:Foo x))';
  expect(atomNamed(text, formsOf(text), 'SHOP::FOO')).toMatchObject({ body: 20 });
  expect(atomNamed(text, formsOf(text), 'BAR')).toBe(null);
});

it('A symbol is imported by the option for its package, or by a new one [issue 39.3]', () => {
  const made = (text: string, inPackage = 'SHOP'): string | null => {
    const change = importInto(text, formsOf(text), { inPackage, from: 'ALEXANDRIA', symbol: 'FLATTEN' });
    return change && text.slice(0, change.offset) + change.text + text.slice(change.offset);
  };
  expect(made('(defpackage :shop\n  (:use :cl))')).toBe(
    '(defpackage :shop\n  (:use :cl)\n  (:import-from #:alexandria #:flatten))',
  );
  expect(made('(defpackage #:shop (:import-from "ALEXANDRIA" #:curry))')).toBe(
    '(defpackage #:shop (:import-from "ALEXANDRIA" #:curry #:flatten))',
  );
  expect(made('(defpackage :other (:use :cl))')).toBe(null);
  expect(made('(defpackage :shop (:use :cl)')).toBe(null);
});
