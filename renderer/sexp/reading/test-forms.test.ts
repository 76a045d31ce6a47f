import { describe, expect, it } from 'vitest';
import { readText } from '#contract/sexp/reader.ts';
import { namingCallsIn, testFormAt, testFormsIn } from './test-forms.ts';

const formsOf = (text: string) => testFormsIn(text, readText(text));
const named = (text: string): string[] => formsOf(text).map((form) => `${form.package ?? '?'}::${form.name}`);

describe('test forms of a text', () => {
  it('Tests of every framework are found by their operators, with the package of the text [D11]', () => {
    expect(
      named(`(in-package :shop/tests)
(test adds (is (= 1 1)))
(5am:def-test takes () (is (= 1 1)))
(fiveam:test (with-options :suite s) (is t))
(define-test parachute-one :parent top (is = 1 1))
(define-test (top child) (is = 1 1))
(deftest rove-one (ok t))
(lisp-unit2:define-test unit-one (:tags '(a)) (assert-true t))
(rt:deftest rt-one (+ 1 1) 2)
(define-test "a string" (true t))
(test |Mixed Case| (is t))
(test other::elsewhere (is t))`),
    ).toEqual([
      'SHOP/TESTS::ADDS',
      'SHOP/TESTS::TAKES',
      'SHOP/TESTS::WITH-OPTIONS',
      'SHOP/TESTS::PARACHUTE-ONE',
      'SHOP/TESTS::CHILD',
      'SHOP/TESTS::ROVE-ONE',
      'SHOP/TESTS::UNIT-ONE',
      'SHOP/TESTS::RT-ONE',
      'SHOP/TESTS::a string',
      'SHOP/TESTS::Mixed Case',
      'OTHER::ELSEWHERE',
    ]);
  });

  it('Tests within PROGN and its like are found, and calls of other operators that may define some are told apart [D11]', () => {
    const text = `(in-package :shop)
(eval-when (:load-toplevel :execute) (progn (test inner (is t))) (locally (deftest inmost (ok t))))
(define-price-test cheap 1 (is t))
(let ((x 1)) (test closed-over (is x)))`;
    expect(named(text)).toEqual(['SHOP::INNER', 'SHOP::INMOST']);
    expect(namingCallsIn(text, readText(text)).map(({ operator, name }) => [operator, name])).toContainEqual([
      'DEFINE-PRICE-TEST',
      'CHEAP',
    ]);
    const [inner] = formsOf(text);
    expect(text.slice(inner!.start, inner!.end)).toBe('(test inner (is t))');
  });

  it('What is no test is none, and neither is a form that is still being written [D11]', () => {
    expect(
      named('(defun test (x) x) (testing x) (in-suite s) (def-suite s) (test) (test ()) (test a) test (test ('),
    ).toEqual([]);
  });

  it('The test of a caret is the form that it is in [D11]', () => {
    const text = '(test a (is t))\n\n(test b (is t))';
    const forms = formsOf(text);
    expect([0, 5, 15, 16, 17, 30].map((caret) => testFormAt(forms, caret)?.name ?? null)).toEqual([
      'A',
      'A',
      'A',
      null,
      'B',
      'B',
    ]);
  });
});
