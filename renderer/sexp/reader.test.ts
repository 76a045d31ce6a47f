import { describe, expect, it } from 'vitest';
import { definitionIn, formAt, packageAt, topLevelAt, topLevelForm } from '#contract/sexp/forms.ts';
import { indentAfter } from './indent.ts';
import { isComplete, readText, scanOnly } from '#contract/sexp/reader.ts';

/** `‸` marks the caret. */
function at(marked: string): { text: string; caret: number } {
  const caret = marked.indexOf('‸');
  return { text: marked.replace('‸', ''), caret };
}

const slices = (text: string): string[] => readText(text).forms.map((form) => text.slice(form.start, form.end));

describe('D2 the reader finds top-level forms in', () => {
  it.each<[string, string, string[]]>([
    ['lists and atoms', '(a b) c 12', ['(a b)', 'c', '12']],
    ['strings with escapes and parens', '"a \\" ) (" (b)', ['"a \\" ) ("', '(b)']],
    ['line comments', '; (not\n(a) ; )\n(b)', ['(a)', '(b)']],
    ['nested block comments', '#| a #| ( |# " |# (b)', ['(b)']],
    ['symbols in bars', '(a |b ( ; " c| d) |x|', ['(a |b ( ; " c| d)', '|x|']],
    ['escaped characters in symbols', '(a\\(b) c', ['(a\\(b)', 'c']],
    ['characters', '(list #\\( #\\) #\\; #\\" #\\Space) x', ['(list #\\( #\\) #\\; #\\" #\\Space)', 'x']],
    ['quotes and functions', "'(a) `(b ,c ,@d) #'car #.(x)", ["'(a)", '`(b ,c ,@d)', "#'car", '#.(x)']],
    [
      'vectors, pathnames and the like',
      '#(1 2) #p"x" #c(1 2) #2A((1)) #:g #*101 #xFF #1=(a #1#)',
      ['#(1 2)', '#p"x"', '#c(1 2)', '#2A((1))', '#:g', '#*101', '#xFF', '#1=(a #1#)'],
    ],
    ['features apart from their form', '#+sbcl (a) #-(or b c) d', ['(a)', 'd']],
    ['characters past the BMP', '(a "𝛌") #\\𝛌 b', ['(a "𝛌")', '#\\𝛌', 'b']],
    ['a stray parenthesis', ') (a)', ['(a)']],
    ['an unclosed form before one in column 0', '(defun a (\n  b\n(defun c ())', ['(defun a (\n  b\n', '(defun c ())']],
    ['nothing', '  ; only a comment', []],
  ])('%s', (_name, text, expected) => {
    expect(slices(text)).toEqual(expected);
  });

  it('ten thousand open lists without running out of stack', () => {
    expect(scanOnly('('.repeat(10_000)).depth).toBe(10_000);
  });
});

describe('D5 what Enter in the REPL does: complete text is evaluated, open text goes on', () => {
  it.each<[string, boolean]>([
    ['(+ 1 2)', true],
    ['(+ 1', false],
    ['', false],
    ['; nothing', false],
    ['"open', false],
    ['"a\\"', false],
    ['|open', false],
    ['#| open', false],
    ['#| a |# b', true],
    ["'", false],
    ["#'", false],
    ['#\\', false],
    ['#\\(', true],
    ['#+sbcl', false],
    ['#+sbcl a', true],
    ['#+(and a b)', false],
    ['(a #+b)', true],
    ['foo', true],
    ['(a))', true],
    ['(a "x)" ; y)\n)', true],
    ['(a\n(b)', false],
  ])('%j → %j', (text, expected) => {
    expect(isComplete(text)).toBe(expected);
  });
});

describe('D3 the form at the caret', () => {
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
  ])('%s', (_name, marked, expected) => {
    const { text, caret } = at(marked);
    const span = formAt(text, readText(text), caret);
    expect(span && text.slice(span.start, span.end)).toBe(expected);
  });

  it('is none in an empty text', () => {
    expect(formAt('', readText(''), 0)).toBeNull();
  });
});

describe('D3 the top-level form at the caret', () => {
  it.each<[string, string, string]>([
    ['around it', '(a)\n(b (c ‸ d))\n(e)', '(b (c  d))'],
    ['at its end', '(a)‸\n(b)', '(a)'],
    ['before it', '(a)\n‸\n(b)', '(a)'],
    ['after it when there is none before', '; x‸\n(b)', '(b)'],
    ['unclosed, to the next in column 0', '(a (‸b\n\n(c)', '(a (b\n\n'],
  ])('%s', (_name, marked, expected) => {
    const { text, caret } = at(marked);
    const span = topLevelAt(text, readText(text), caret);
    expect(span && text.slice(span.start, span.end)).toBe(expected);
  });
});

describe('D3 the package of a place', () => {
  it.each<[string, string | null]>([
    ['(in-package :shop)\n‸', 'SHOP'],
    ['(in-package #:shop)‸', 'SHOP'],
    ['(in-package "Shop")‸', 'Shop'],
    ['(cl:in-package shop/tests)‸', 'SHOP/TESTS'],
    ['(in-package :|a b|)‸', 'a b'],
    ['(in-package :a)\n(in-package :b)\n‸\n(in-package :c)', 'B'],
    ['‸(in-package :a)', null],
    ['(a)‸', null],
    ['"(in-package :a)" ; (in-package :b)\n‸', null],
  ])('%j → %j', (marked, expected) => {
    const { text, caret } = at(marked);
    expect(packageAt(text, readText(text), caret)).toBe(expected);
  });
});

describe('D2 the definition at the caret is named', () => {
  it.each<[string, string | null]>([
    ['(defun total (cart) 1)', 'total'],
    ['(defmethod discount :around ((c club-member) line &key x) 1)', 'discount (club-member t)'],
    ['(defstruct (point (:conc-name p-)) x)', 'point'],
    ['(defun (setf name) (v o))', '(setf name)'],
    ['(list 1 2)', null],
  ])('%s', (text, expected) => {
    const form = topLevelForm(readText(text), 1);
    expect(form && (definitionIn(text, form)?.name ?? null)).toBe(expected);
  });
});

describe('D2 a new line is indented', () => {
  it.each<[string, number]>([
    ['(defun a (b)', 2],
    ['(foo bar', 5],
    ['(foo', 1],
    ['(let ((a 1)', 6],
    ['(let ((a 1))', 2],
    ['(when x', 2],
    ['(a)', 0],
    ["'(a b", 2],
    ['(multiple-value-bind (a b)', 4],
    ['  (foo (bar baz)\n       qux', 7],
  ])('%j → %i', (text, column) => {
    expect(indentAfter(text)).toBe(column);
  });
});
