import { describe, expect, it } from 'vitest';
import { definitionIn, formAt, packageAt, topLevelAt, topLevelForm } from './forms.ts';
import { readText } from './reader.ts';

/** Removes `‸` from a text. Returns the text, and as the caret the offset at which `‸` was. */
function at(marked: string): { text: string; caret: number } {
  const caret = marked.indexOf('‸');
  return { text: marked.replace('‸', ''), caret };
}

describe('form at the caret', () => {
  it.each<[string, string, string]>([
    ['ends at the caret', '(a (b c)‸ d)', '(b c)'],
    ['is the whole one after its last parenthesis', '(a (b c))‸', '(a (b c))'],
    ['starts at the caret', '‸(a b)', '(a b)'],
    ['is the atom that the caret is in', '(foo b‸ar baz)', 'bar'],
    ['is the atom that ends at the caret', '(foo bar‸ baz)', 'bar'],
    ['is the call when the caret is in its operator', '(fo‸o bar)', '(foo bar)'],
    ['is the call when the caret is after its operator', '(foo‸ bar)', '(foo bar)'],
    ['is the list around blank space', '(foo ‸ bar)', '(foo  bar)'],
    ['is the string that the caret is in', '(foo "b‸ar")', '"bar"'],
    ['keeps a quote', "(foo 'ba‸r)", "'bar"],
    ['keeps a function quote', "(foo #'ba‸r)", "#'bar"],
    ['leaves an unquote out', '`(foo ,(b‸ar 1))', '(bar 1)'],
    ['leaves a splice out', '`(foo ,@ba‸r)', 'bar'],
    ['is the last one before blank space at the top', '(a)\n\n‸\n(b)', '(a)'],
    ['is the first one when none is before', '‸\n(b)', '(b)'],
    ['is taken from behind a feature test', '#+(or) (total *cart*)‸', '(total *cart*)'],
    ['may be unclosed', '(+ 1‸', '1'],
  ])('The form at the caret %s [D3]', (_name, marked, expected) => {
    const { text, caret } = at(marked);
    const span = formAt(text, readText(text), caret);
    expect(span && text.slice(span.start, span.end)).toBe(expected);
  });

  it('There is no form at the caret in an empty text [D3]', () => {
    expect(formAt('', readText(''), 0)).toBeNull();
  });
});

describe('top-level form at the caret', () => {
  it.each<[string, string, string]>([
    ['around it', '(a)\n(b (c ‸ d))\n(e)', '(b (c  d))'],
    ['at its end', '(a)‸\n(b)', '(a)'],
    ['before it', '(a)\n‸\n(b)', '(a)'],
    ['after it when there is none before', '; x‸\n(b)', '(b)'],
    ['unclosed, to the next in column 0', '(a (‸b\n\n(c)', '(a (b\n\n'],
  ])('The top-level form at the caret is found %s [D3]', (_name, marked, expected) => {
    const { text, caret } = at(marked);
    const span = topLevelAt(text, readText(text), caret);
    expect(span && text.slice(span.start, span.end)).toBe(expected);
  });
});

describe('package at the caret', () => {
  it.each<[string, string | null]>([
    ['(in-package :shop)\n‸', 'SHOP'],
    ['(in-package #:shop)‸', 'SHOP'],
    ['(in-package "Shop")‸', 'Shop'],
    ['(cl:in-package shop/tests)‸', 'SHOP/TESTS'],
    ['(in-package :|a b|)‸', 'a b'],
    ['(in-package :a)\n(in-package :b)\n‸\n(in-package :c)', 'B'],
    ['(in-package :a)\n#+lispworks\n(in-package :b)\n#+sbcl (in-package :c) #-sbcl (in-package :d)‸', 'C'],
    ['‸(in-package :a)', null],
    ['(a)‸', null],
    ['"(in-package :a)" ; (in-package :b)\n‸', null],
  ])('The package at the caret of %j is %j [D3]', (marked, expected) => {
    const { text, caret } = at(marked);
    expect(packageAt(text, readText(text), caret)).toBe(expected);
  });
});

describe('name of the definition at the caret', () => {
  it.each<[string, string | null]>([
    ['(defun total (cart) 1)', 'total'],
    ['(defmethod discount :around ((c club-member) line &key x) 1)', 'discount (club-member t)'],
    ['(defstruct (point (:conc-name p-)) x)', 'point'],
    ['(defun (setf name) (v o))', '(setf name)'],
    ['(list 1 2)', null],
  ])('The definition at the caret of %s is named %s [D2]', (text, expected) => {
    const form = topLevelForm(readText(text), 1);
    expect(form && (definitionIn(text, form)?.name ?? null)).toBe(expected);
  });
});
