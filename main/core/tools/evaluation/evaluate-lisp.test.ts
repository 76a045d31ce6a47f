import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  client = await bench.connect();
}, 120_000);

afterAll(() => bench.close());

describe('answers of evaluate-lisp', () => {
  it.each<[string, string, string]>([
    ['the value [T6, E19, E21]', '(+ 1 2 3)', '=> 6'],
    ['each further value on its own line [T7, E20]', '(floor 7 2)', '=> 3\n=> 1'],
    ['the last of several forms [E3, E5, E6]', '(defvar *a* 1) (incf *a*) (* *a* 10)', '=> 20'],
    ['values with escapes [E19, E23]', '(values "a\\"b" #\\x :k \'|x y|)', '=> "a\\"b"\n=> #\\x\n=> :K\n=> |x y|'],
    [
      'output before the value [E14, E15, E18, E32, T8, T13]',
      '(format t "Hello, World!~%")',
      '[stdout]\nHello, World!\n\n=> NIL',
    ],
    [
      'errors apart from output [E16, E33]',
      '(progn (format *error-output* "oops~%") (format t "fine~%") 1)',
      '[stdout]\nfine\n\n[stderr]\noops\n\n=> 1',
    ],
    ['the trace with the errors [E34]', '(progn (format *trace-output* "tr") 1)', '[stderr]\ntr\n\n=> 1'],
    [
      'own blank lines kept, the last newline not doubled [T8]',
      '(format t "a~%~%b~%~%")',
      '[stdout]\na\n\nb\n\n\n=> NIL',
    ],
    [
      'a long list cut at 100, and how to see the others [E24, issue 35.1]',
      '(loop for i below 102 collect 0)',
      `=> (${Array(100).fill('0').join(' ')} ...)\n; Lists and arrays are shown up to 100 elements: inspect-object with the expression * shows the others.`,
    ],
    ['a text that looks cut [issue 35.1]', '"(a ...)"', '=> "(a ...)"'],
    ['a circle ends [E26]', '(let ((l (list 1 2))) (setf (cdr (last l)) l) l)', '=> #1=(1 2 . #1#)'],
    [
      'nothing of debug and query streams [E35, E36, decision 12]',
      '(progn (format *debug-io* "d") (format *query-io* "q") (finish-output *query-io*) 5)',
      '=> 5',
    ],
    ['no values [decision 10]', '(values)', '; No values'],
    ['read-time evaluation [E4, decision 6]', '#.(+ 1 2)', '=> 3'],
    [
      'later forms read in the package that earlier ones chose [decision 5]',
      "(defpackage :late (:use :cl)) (in-package :late) (package-name (symbol-package 'fresh-symbol))",
      '=> "LATE"',
    ],
  ])('The tool evaluate-lisp answers as its contract says: %s', async (_name, code, expected) => {
    await client.call('evaluate-lisp', { code: '(in-package :cl-user)' });
    const text = await client.evaluate(code);
    expect(normalized(text)).toBe(normalized(expected));
  });

  it('The tool evaluate-lisp answers with one text item, with isError false present [E13, T3–T5]', async () => {
    const reply = await client.client.callTool({ name: 'evaluate-lisp', arguments: { code: '1' } });
    expect(reply).toMatchObject({ content: [{ type: 'text', text: '=> 1' }], isError: false });
    expect(Object.keys(reply.content as object[]).length).toBe(1);
  });

  it('The tool evaluate-lisp cuts nesting at level 10 [E25]', async () => {
    expect(await client.evaluate('(let ((l nil)) (dotimes (i 12 l) (setf l (list l))))')).toBe(
      '=> ((((((((((#))))))))))',
    );
  });

  it('The tool evaluate-lisp prints long values over lines [E27]', async () => {
    expect(
      await client.evaluate(
        "'(defun some-long-function-name (argument-one argument-two) (list argument-one argument-two argument-one argument-two))",
      ),
    ).toMatch(/\n/);
  });

  it('The tool evaluate-lisp shows warnings and the values still [E17, E37, E38]', async () => {
    const text = await client.evaluate('(progn (warn "careful") (warn \'style-warning) 7)');
    expect(text).toMatch(/^\[warnings\]\nWARNING: careful\nSTYLE-WARNING: .*\n\n=> 7$/s);
  });

  it('The tool evaluate-lisp shows what the compiler warned of [decision 9]', async () => {
    const text = await client.evaluate('(defun calls-nothing () (not-there-at-all 1))');
    expect(text).toMatch(
      /^\[warnings\]\nSTYLE-WARNING: undefined function: .*NOT-THERE-AT-ALL.*\n\n=> CALLS-NOTHING$/s,
    );
  });

  it('The tool evaluate-lisp gives the timing when asked, and only then [E11, E12, E22]', async () => {
    const timed = await client.evaluate('(+ 1 1)', { 'capture-time': true });
    expect(timed).toMatch(/^=> 2\n\n; Timing: \d+ms real, \d+ms run, \d+ms GC, \d+ bytes consed$/);
    expect(await client.evaluate('(+ 1 1)', { 'capture-time': false })).toBe('=> 2');
  });
});

describe('reports of evaluate-lisp', () => {
  beforeAll(async () => {
    client = await bench.connect();
  });

  it.each<[string, string, RegExp]>([
    [
      'an error with type, message and backtrace [E28, E39, T9]',
      '(error "Broken: ~a" 7)',
      /^\[ERROR\] SIMPLE-ERROR\nBroken: 7\n\n\[Backtrace\]\n0: \(/,
    ],
    [
      'a frame as number and call [E31]',
      '(progn (defun inner (x) (error "at ~a" x)) (defun outer (y) (1+ (inner y))) (outer 42))',
      /\[Backtrace\]\n0: .*\(INNER 42\)\n\d+: \(OUTER 42\)/s,
    ],
    [
      'an undefined function [T9]',
      '(nonexistent-function)',
      /^\[ERROR\] UNDEFINED-FUNCTION\nThe function .*NONEXISTENT-FUNCTION is undefined\.\n\n\[Backtrace\]\n/,
    ],
    ['a reader error [E7]', '(+ 1', /^\[ERROR\] END-OF-FILE\n/],
    ['a bad token [E7]', '(foo::bar::baz)', /^\[ERROR\] .*READER.*\n/],
    [
      'a late reader error after earlier output [decision 5]',
      '(print :early) )',
      /^\[stdout\]\n\n:EARLY\s*\n\n\[ERROR\] /,
    ],
    [
      'a serious condition [E40]',
      "(progn (define-condition grave (serious-condition) ()) (error 'grave))",
      /^\[ERROR\] GRAVE\n/,
    ],
    ['an exhausted stack [E41]', '(labels ((f (n) (1+ (f (1+ n))))) (f 0))', /(^|\n\n)\[ERROR\] .*EXHAUSTED.*\n/],
    [
      'an exhausted heap [E41]',
      "(make-array (expt 10 11) :element-type 'double-float)",
      /^\[ERROR\] .*HEAP-EXHAUSTED.*\n/,
    ],
    ['a question that nobody can answer [E36, decision 12]', '(y-or-n-p "Really?")', /^\[ERROR\] END-OF-FILE\n/],
    [
      'a read from an empty input [decision 12]',
      '(read-line)',
      /^\[ERROR\] END-OF-FILE\n[^]*\nCode that a client evaluates has no standard input/,
    ],
    [
      'an end of file elsewhere',
      '(with-input-from-string (s "") (read-line s))',
      /^\[ERROR\] END-OF-FILE\n(?![^]*standard input)/,
    ],
    [
      'sections before the error [decision 8]',
      '(progn (format t "out~%") (warn "w") (car 1))',
      /^\[stdout\]\nout\n\n\[warnings\]\nWARNING: w\n\n\[ERROR\] TYPE-ERROR\n/,
    ],
    ['a throw to nowhere [decision 19]', "(throw 'nowhere 1)", /^\[ERROR\] .*CONTROL-ERROR.*\n/],
    [
      'the debugger [decision 19]',
      '(invoke-debugger (make-condition \'simple-error :format-control "direct"))',
      /^\[ERROR\] SIMPLE-ERROR\ndirect/,
    ],
    ['a break [decision 19]', '(break "here")', /^\[ERROR\] .*\nhere/],
    ['an abort [decision 19]', '(abort)', /^\[ERROR\] /],
    [
      'an unknown package [S38, E10, decision 4]',
      '(list 1)',
      /^\[ERROR\] PACKAGE-ERROR\nThe name "NOPE" does not designate any package\.$/,
    ],
  ])('The tool evaluate-lisp reports as an error, and goes on: %s', async (name, code, expected) => {
    const more = name.includes('unknown package') ? { package: 'NOPE' } : {};
    const { text, isError } = await client.call('evaluate-lisp', { code, ...more });
    expect({ text, isError }).toEqual({ text: expect.stringMatching(expected) as unknown, isError: true });
    expect(await client.evaluate('(+ 40 2)')).toBe('=> 42');
  });

  it('A backtrace has at most 20 frames and none of the evaluator [E29, E30]', async () => {
    const text = await client.evaluate(
      '(progn (defun down (n) (if (zerop n) (error "deep") (1+ (further (1- n))))) (defun further (n) (1+ (down n))) (down 60))',
    );
    const frames = text.split('[Backtrace]\n')[1]!.split('\n');
    expect(frames.length).toBe(20);
    expect(text).not.toMatch(/LISP-WORKBENCH|SB-INT:SIMPLE-EVAL|%SIMPLE-EVAL|SB-KERNEL::%SIGNAL/);
  });

  it('The tool evaluate-lisp drops the undefined-function warning of the call that fails with it [decision 9]', async () => {
    expect(await client.evaluate('(surely-undefined 1)')).not.toContain('[warnings]');
  });
});

describe('state that persists', () => {
  it.each<[string, string, string, string]>([
    ['functions [S1, E42]', '(defun sq (x) (* x x))', '(sq 5)', '=> 25'],
    ['macros [S2]', '(defmacro twice (x) `(list ,x ,x))', '(twice 3)', '=> (3 3)'],
    ['classes [S3]', '(defclass pt () ((x :initarg :x :reader pt-x)))', "(pt-x (make-instance 'pt :x 4))", '=> 4'],
    ['structures [S4]', '(defstruct pair a b)', '(pair-b (make-pair :a 1 :b 2))', '=> 2'],
    [
      'generic functions and methods [S5, S6]',
      '(defgeneric speak (x)) (defmethod speak ((x integer)) :int)',
      '(speak 1)',
      '=> :INT',
    ],
    ['defvar [S7]', '(defvar *v* 11)', '*v*', '=> 11'],
    ['defparameter [S8]', '(defparameter *p* 12)', '*p*', '=> 12'],
    ['defconstant [S9]', '(defconstant +c+ 13)', '+c+', '=> 13'],
    [
      'packages and what they import [S12, S13]',
      '(defpackage :pk (:use :cl) (:export #:hi)) (defun pk::hi () :hello)',
      '(pk:hi)',
      '=> :HELLO',
    ],
  ])('The image keeps between calls: %s', async (_name, define, use, expected) => {
    await client.evaluate(define);
    expect(await client.evaluate(use)).toBe(expected);
  });

  it('The image keeps values of undeclared symbols between calls [S10]', async () => {
    await client.evaluate('(setf undeclared-thing 99)');
    expect(await client.evaluate('undeclared-thing')).toMatch(/=> 99$/);
  });

  it('The image keeps nothing of the dynamic extent between calls [S16–S20]', async () => {
    await client.evaluate(
      '(defvar *dyn* :global) (let ((*dyn* :bound)) (catch :tag (restart-case *dyn* (my-restart () 1))))',
    );
    expect(await client.evaluate("(list *dyn* (find-restart 'my-restart))")).toBe('=> (:GLOBAL NIL)');
    expect(await client.evaluate('(throw :tag 1)')).toMatch(/^\[ERROR\]/);
  });

  it('The variable * and its kin belong to the connection [decision 22]', async () => {
    const other = await bench.connect();
    await client.evaluate('(list :mine)');
    await other.evaluate(':theirs');
    expect([await client.evaluate('*'), await other.evaluate('*')]).toEqual(['=> (:MINE)', '=> :THEIRS']);
  });
});

describe('packages', () => {
  it('A connection starts in CL-USER [S34, E9]', async () => {
    const fresh = await bench.connect();
    expect(await fresh.evaluate('(package-name *package*)')).toBe('=> "COMMON-LISP-USER"');
  });

  it('An in-band change of the package persists, for this connection alone [S11, S36, S37]', async () => {
    const one = await bench.connect();
    const other = await bench.connect();
    await one.evaluate('(defpackage :mine (:use :cl)) (in-package :mine)');
    expect([await one.evaluate('(package-name *package*)'), await other.evaluate('(package-name *package*)')]).toEqual([
      '=> "MINE"',
      '=> "COMMON-LISP-USER"',
    ]);
  });

  it('A package argument holds for its call alone [E8, S35, decision 3]', async () => {
    const one = await bench.connect();
    expect(await one.evaluate('(cl:package-name cl:*package*)', { package: 'keyword' })).toBe('=> "KEYWORD"');
    expect(await one.evaluate('(package-name *package*)')).toBe('=> "COMMON-LISP-USER"');
  });

  it('A failed call changes nothing of the package [decision 3]', async () => {
    const one = await bench.connect();
    await one.evaluate('(in-package :keyword) (car 1)');
    expect(await one.evaluate('(package-name *package*)')).toBe('=> "COMMON-LISP-USER"');
  });
});

/** Returns the text without line breaks inside printed lists, because the tests check only the content. */
function normalized(text: string): string {
  return text.replaceAll(/\s+(?=\.\.\.\))/g, ' ').replaceAll(/(?<=\b0)\s+(?=0\b)/g, ' ');
}
