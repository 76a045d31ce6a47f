import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  client = await bench.connect();
}, 120_000);

afterAll(() => bench.close());

describe('evaluate-lisp answers', () => {
  it.each<[string, string, string]>([
    ['T6 E19 E21 the value', '(+ 1 2 3)', '=> 6'],
    ['T7 E20 each further value on its own line', '(floor 7 2)', '=> 3\n=> 1'],
    ['E3 E5 E6 the last of several forms', '(defvar *a* 1) (incf *a*) (* *a* 10)', '=> 20'],
    ['E19 E23 values with escapes', '(values "a\\"b" #\\x :k \'|x y|)', '=> "a\\"b"\n=> #\\x\n=> :K\n=> |x y|'],
    [
      'E14 E15 E18 E32 T8 T13 output before the value',
      '(format t "Hello, World!~%")',
      '[stdout]\nHello, World!\n\n=> NIL',
    ],
    [
      'E16 E33 errors apart from output',
      '(progn (format *error-output* "oops~%") (format t "fine~%") 1)',
      '[stdout]\nfine\n\n[stderr]\noops\n\n=> 1',
    ],
    ['E34 the trace with the errors', '(progn (format *trace-output* "tr") 1)', '[stderr]\ntr\n\n=> 1'],
    [
      'T8 own blank lines kept, the last newline not doubled',
      '(format t "a~%~%b~%~%")',
      '[stdout]\na\n\nb\n\n\n=> NIL',
    ],
    ['E24 a long list cut at 100', '(loop for i below 102 collect 0)', `=> (${Array(100).fill('0').join(' ')} ...)`],
    ['E26 a circle ends', '(let ((l (list 1 2))) (setf (cdr (last l)) l) l)', '=> #1=(1 2 . #1#)'],
    [
      'E35 E36 decision 12 nothing of debug and query streams',
      '(progn (format *debug-io* "d") (format *query-io* "q") (finish-output *query-io*) 5)',
      '=> 5',
    ],
    ['decision 10 no values', '(values)', '; No values'],
    ['E4 decision 6 read-time evaluation', '#.(+ 1 2)', '=> 3'],
    [
      'decision 5 later forms read in the package that earlier ones chose',
      "(defpackage :late (:use :cl)) (in-package :late) (package-name (symbol-package 'fresh-symbol))",
      '=> "LATE"',
    ],
  ])('%s', async (_name, code, expected) => {
    await client.call('evaluate-lisp', { code: '(in-package :cl-user)' });
    const text = await client.evaluate(code);
    expect(normalized(text)).toBe(normalized(expected));
  });

  it('E13 T3 T4 T5 as one text item with isError false present', async () => {
    const reply = await client.client.callTool({ name: 'evaluate-lisp', arguments: { code: '1' } });
    expect(reply).toMatchObject({ content: [{ type: 'text', text: '=> 1' }], isError: false });
    expect(Object.keys(reply.content as object[]).length).toBe(1);
  });

  it('E25 cuts nesting at level 10', async () => {
    expect(await client.evaluate('(let ((l nil)) (dotimes (i 12 l) (setf l (list l))))')).toBe(
      '=> ((((((((((#))))))))))',
    );
  });

  it('E27 prints long values over lines', async () => {
    expect(
      await client.evaluate(
        "'(defun some-long-function-name (argument-one argument-two) (list argument-one argument-two argument-one argument-two))",
      ),
    ).toMatch(/\n/);
  });

  it('E17 E37 E38 shows warnings and the values still', async () => {
    const text = await client.evaluate('(progn (warn "careful") (warn \'style-warning) 7)');
    expect(text).toMatch(/^\[warnings\]\nWARNING: careful\nSTYLE-WARNING: .*\n\n=> 7$/s);
  });

  it('decision 9 shows what the compiler warned of', async () => {
    const text = await client.evaluate('(defun calls-nothing () (not-there-at-all 1))');
    expect(text).toMatch(
      /^\[warnings\]\nSTYLE-WARNING: undefined function: .*NOT-THERE-AT-ALL.*\n\n=> CALLS-NOTHING$/s,
    );
  });

  it('E11 E22 gives the timing when asked, E12 and only then', async () => {
    const timed = await client.evaluate('(+ 1 1)', { 'capture-time': true });
    expect(timed).toMatch(/^=> 2\n\n; Timing: \d+ms real, \d+ms run, \d+ms GC, \d+ bytes consed$/);
    expect(await client.evaluate('(+ 1 1)', { 'capture-time': false })).toBe('=> 2');
  });
});

describe('evaluate-lisp reports', () => {
  beforeAll(async () => {
    client = await bench.connect();
  });

  it.each<[string, string, RegExp]>([
    [
      'E28 E39 T9 an error with type, message and backtrace',
      '(error "Broken: ~a" 7)',
      /^\[ERROR\] SIMPLE-ERROR\nBroken: 7\n\n\[Backtrace\]\n0: \(/,
    ],
    [
      'E31 a frame as number and call',
      '(progn (defun inner (x) (error "at ~a" x)) (defun outer (y) (1+ (inner y))) (outer 42))',
      /\[Backtrace\]\n0: .*\(INNER 42\)\n\d+: \(OUTER 42\)/s,
    ],
    [
      'T9 an undefined function',
      '(nonexistent-function)',
      /^\[ERROR\] UNDEFINED-FUNCTION\nThe function .*NONEXISTENT-FUNCTION is undefined\.\n\n\[Backtrace\]\n/,
    ],
    ['E7 a reader error', '(+ 1', /^\[ERROR\] END-OF-FILE\n/],
    ['E7 a bad token', '(foo::bar::baz)', /^\[ERROR\] .*READER.*\n/],
    [
      'decision 5 a late reader error after earlier output',
      '(print :early) )',
      /^\[stdout\]\n\n:EARLY\s*\n\n\[ERROR\] /,
    ],
    [
      'E40 a serious condition',
      "(progn (define-condition grave (serious-condition) ()) (error 'grave))",
      /^\[ERROR\] GRAVE\n/,
    ],
    ['E41 an exhausted stack', '(labels ((f (n) (1+ (f (1+ n))))) (f 0))', /(^|\n\n)\[ERROR\] .*EXHAUSTED.*\n/],
    [
      'E41 an exhausted heap',
      "(make-array (expt 10 11) :element-type 'double-float)",
      /^\[ERROR\] .*HEAP-EXHAUSTED.*\n/,
    ],
    ['E36 decision 12 a question that nobody can answer', '(y-or-n-p "Really?")', /^\[ERROR\] END-OF-FILE\n/],
    ['decision 12 a read from an empty input', '(read-line)', /^\[ERROR\] END-OF-FILE\n/],
    [
      'decision 8 sections before the error',
      '(progn (format t "out~%") (warn "w") (car 1))',
      /^\[stdout\]\nout\n\n\[warnings\]\nWARNING: w\n\n\[ERROR\] TYPE-ERROR\n/,
    ],
    ['decision 19 a throw to nowhere', "(throw 'nowhere 1)", /^\[ERROR\] .*CONTROL-ERROR.*\n/],
    [
      'decision 19 the debugger',
      '(invoke-debugger (make-condition \'simple-error :format-control "direct"))',
      /^\[ERROR\] SIMPLE-ERROR\ndirect/,
    ],
    ['decision 19 a break', '(break "here")', /^\[ERROR\] .*\nhere/],
    ['decision 19 an abort', '(abort)', /^\[ERROR\] /],
    [
      'S38 E10 decision 4 an unknown package',
      '(list 1)',
      /^\[ERROR\] PACKAGE-ERROR\nThe name "NOPE" does not designate any package\.$/,
    ],
  ])('%s', async (name, code, expected) => {
    const more = name.includes('unknown package') ? { package: 'NOPE' } : {};
    const { text, isError } = await client.call('evaluate-lisp', { code, ...more });
    expect({ text, isError }).toEqual({ text: expect.stringMatching(expected) as unknown, isError: true });
    expect(await client.evaluate('(+ 40 2)')).toBe('=> 42');
  });

  it('E30 at most 20 frames, E29 none of the evaluator', async () => {
    const text = await client.evaluate(
      '(progn (defun down (n) (if (zerop n) (error "deep") (1+ (down (1- n))))) (down 60))',
    );
    const frames = text.split('[Backtrace]\n')[1]!.split('\n');
    expect(frames.length).toBe(20);
    expect(text).not.toMatch(/LISP-WORKBENCH|SB-INT:SIMPLE-EVAL|%SIMPLE-EVAL|SB-KERNEL::%SIGNAL/);
  });

  it('decision 9 drops the undefined-function warning of the call that fails with it', async () => {
    expect(await client.evaluate('(surely-undefined 1)')).not.toContain('[warnings]');
  });
});

describe('what persists', () => {
  it.each<[string, string, string, string]>([
    ['S1 E42 functions', '(defun sq (x) (* x x))', '(sq 5)', '=> 25'],
    ['S2 macros', '(defmacro twice (x) `(list ,x ,x))', '(twice 3)', '=> (3 3)'],
    ['S3 classes', '(defclass pt () ((x :initarg :x :reader pt-x)))', "(pt-x (make-instance 'pt :x 4))", '=> 4'],
    ['S4 structures', '(defstruct pair a b)', '(pair-b (make-pair :a 1 :b 2))', '=> 2'],
    [
      'S5 S6 generic functions and methods',
      '(defgeneric speak (x)) (defmethod speak ((x integer)) :int)',
      '(speak 1)',
      '=> :INT',
    ],
    ['S7 defvar', '(defvar *v* 11)', '*v*', '=> 11'],
    ['S8 defparameter', '(defparameter *p* 12)', '*p*', '=> 12'],
    ['S9 defconstant', '(defconstant +c+ 13)', '+c+', '=> 13'],
    [
      'S12 S13 packages and what they import',
      '(defpackage :pk (:use :cl) (:export #:hi)) (defun pk::hi () :hello)',
      '(pk:hi)',
      '=> :HELLO',
    ],
  ])('%s', async (_name, define, use, expected) => {
    await client.evaluate(define);
    expect(await client.evaluate(use)).toBe(expected);
  });

  it('S10 values of undeclared symbols', async () => {
    await client.evaluate('(setf undeclared-thing 99)');
    expect(await client.evaluate('undeclared-thing')).toMatch(/=> 99$/);
  });

  it('S16 S17 S18 S19 S20 nothing of the dynamic extent', async () => {
    await client.evaluate(
      '(defvar *dyn* :global) (let ((*dyn* :bound)) (catch :tag (restart-case *dyn* (my-restart () 1))))',
    );
    expect(await client.evaluate("(list *dyn* (find-restart 'my-restart))")).toBe('=> (:GLOBAL NIL)');
    expect(await client.evaluate('(throw :tag 1)')).toMatch(/^\[ERROR\]/);
  });

  it('decision 22 * and friends belong to the connection', async () => {
    const other = await bench.connect();
    await client.evaluate('(list :mine)');
    await other.evaluate(':theirs');
    expect([await client.evaluate('*'), await other.evaluate('*')]).toEqual(['=> (:MINE)', '=> :THEIRS']);
  });
});

describe('packages', () => {
  it('S34 E9 a connection starts in CL-USER', async () => {
    const fresh = await bench.connect();
    expect(await fresh.evaluate('(package-name *package*)')).toBe('=> "COMMON-LISP-USER"');
  });

  it('S11 S36 S37 an in-band change persists, for this connection alone', async () => {
    const one = await bench.connect();
    const other = await bench.connect();
    await one.evaluate('(defpackage :mine (:use :cl)) (in-package :mine)');
    expect([await one.evaluate('(package-name *package*)'), await other.evaluate('(package-name *package*)')]).toEqual([
      '=> "MINE"',
      '=> "COMMON-LISP-USER"',
    ]);
  });

  it('E8 S35 decision 3 a package argument holds for its call', async () => {
    const one = await bench.connect();
    expect(await one.evaluate('(cl:package-name cl:*package*)', { package: 'keyword' })).toBe('=> "KEYWORD"');
    expect(await one.evaluate('(package-name *package*)')).toBe('=> "COMMON-LISP-USER"');
  });

  it('decision 3 a failed call changes nothing', async () => {
    const one = await bench.connect();
    await one.evaluate('(in-package :keyword) (car 1)');
    expect(await one.evaluate('(package-name *package*)')).toBe('=> "COMMON-LISP-USER"');
  });
});

/** SBCL prints symbols of other packages with their prefix; the tests above care for the shape. */
function normalized(text: string): string {
  return text.replaceAll(/\s+(?=\.\.\.\))/g, ' ').replaceAll(/(?<=\b0)\s+(?=0\b)/g, ' ');
}
