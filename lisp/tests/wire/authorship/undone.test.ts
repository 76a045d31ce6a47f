/**
 * Undoing an agent's definition does not count as a review of its code. Calls of code that is still referenced, or that is restored, still
 * cause a request.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { mark } from '../effects.fixture.ts';
import { guardedImage } from '../guarded-image.fixture.ts';

const { image, file, asked, byAgent, person } = await guardedImage();

/**
 * Definitions by kind: the agent's definition, another reference to it that the agent creates, the person's call through that reference,
 * and the person's call by name after the definition was restored.
 */
const KINDS: [what: string, define: string, hold: string, callHeld: string, callAgain: string][] = [
  ['a function', '(defun u1 () (delete-file @))', "(defvar *h1* (list #'u1))", '(funcall (first *h1*))', '(u1)'],
  [
    'a function in a table',
    '(defun u2 () (delete-file @))',
    "(defvar *h2* (make-hash-table)) (setf (gethash :save *h2*) #'u2)",
    '(funcall (gethash :save *h2*))',
    '(u2)',
  ],
  [
    "a function in the place of the person's",
    '(defun u3 () (delete-file @))',
    "(defvar *h3* #'u3)",
    '(funcall *h3*)',
    '(u3)',
  ],
  [
    'a setf function',
    '(defun (setf u4) (new) (delete-file @) new)',
    "(defvar *h4* #'(setf u4))",
    '(funcall *h4* 1)',
    '(setf (u4) 1)',
  ],
  [
    'a macro',
    "(defmacro u5 () '(delete-file @))",
    "(setf (macro-function 'held5) (macro-function 'u5))",
    '(held5)',
    '(u5)',
  ],
  [
    'a compiler macro',
    '(defun u6 (x) x) (define-compiler-macro u6 (x) `(progn (delete-file @) ,x))',
    "(defun held6 (x) x) (setf (compiler-macro-function 'held6) (compiler-macro-function 'u6))",
    "(funcall (compile nil '(lambda () (held6 1))))",
    "(funcall (compile nil '(lambda () (u6 1))))",
  ],
  [
    'a method',
    '(defmethod u7 ((x integer)) (delete-file @))',
    "(defvar *h7* (sb-mop:method-function (find-method #'u7 '() (list (find-class 'integer)))))",
    '(funcall *h7* (list 1) nil)',
    '(u7 1)',
  ],
  [
    'a method around',
    '(defgeneric u8 (x)) (defmethod u8 ((x integer)) x) (defmethod u8 :around ((x integer)) (delete-file @))',
    "(defvar *h8* (sb-mop:method-function (find-method #'u8 '(:around) (list (find-class 'integer)))))",
    '(funcall *h8* (list 1) nil)',
    '(u8 1)',
  ],
  [
    'a variable with a closure',
    '(defparameter *u9* (let ((n 1)) (lambda () (incf n) (delete-file @))))',
    '(defvar *h9* *u9*)',
    '(funcall *h9*)',
    '(funcall *u9*)',
  ],
  [
    'a variable with a list of closures',
    '(defparameter *u10* (list (lambda () (delete-file @))))',
    '(defvar *h10* *u10*)',
    '(mapc (function funcall) *h10*)',
    '(mapc (function funcall) *u10*)',
  ],
  [
    'a class with an initial value',
    '(defclass u11 () ((a :initform (delete-file @))))',
    "(defvar *h11* (find-class 'u11))",
    '(make-instance *h11*)',
    "(make-instance 'u11)",
  ],
  [
    'a structure with an initial value',
    '(defstruct u12 (a (delete-file @)))',
    "(defvar *h12* #'make-u12)",
    '(funcall *h12*)',
    '(make-u12)',
  ],
  [
    'a setf expander',
    '(define-setf-expander u13 () (delete-file @) (values nil nil nil nil nil))',
    "(setf (get 'u13 'held) (sb-int:info :setf :expander 'u13))",
    "(let ((held (get 'u13 'held))) (funcall (if (consp held) (rest held) held) '(u13) nil))",
    '(setf (u13) 1)',
  ],
  [
    'a type',
    '(deftype u14 () (delete-file @) t)',
    "(setf (get 'u14 'held) (sb-int:info :type :expander 'u14))",
    "(let ((held (get 'u14 'held))) (funcall (if (consp held) (first held) held) '(u14)))",
    "(typep 1 'u14)",
  ],
  ['a symbol macro', '(define-symbol-macro u15 (delete-file @))', '(defun held15 () u15)', '(held15)', 'u15'],
  [
    'the report of a condition',
    '(define-condition u16 (error) () (:report (lambda (c s) c s (delete-file @))))',
    "(defvar *h16* (make-condition 'u16))",
    '(princ-to-string *h16*)',
    "(princ-to-string (make-condition 'u16))",
  ],
];

let count = 0;

/** Evaluates code as the agent in a separate evaluation, which must cause no request. Returns the evaluation's id. */
async function define(code: string): Promise<string> {
  const evaluation = `defining ${(count += 1)}`;
  const before = asked.length;
  const reply = await byAgent(code, { evaluation });
  expect([reply.condition, asked.length]).toEqual([null, before]);
  return evaluation;
}

/** Undoes a whole evaluation, or some events, as the person. Returns the ids of the events that the undo creates. */
async function undo(what: { of?: string; events?: number[] }): Promise<number[]> {
  const { result } = await image.run('undo-definitions', { events: null, of: null, dry: false, ...what });
  const { undone } = result!;
  expect(undone.filter(({ done }) => !done)).toEqual([]);
  return undone.map(({ event }) => event!);
}

/** Returns the number of requests that appear while the person evaluates this code. All requests are denied. */
async function requests(code: string): Promise<number> {
  asked.length = 0;
  await person(code);
  expect(existsSync(file)).toBe(true);
  return asked.filter(({ definedBy }) => definedBy?.actor === 'client:tester').length;
}

/** Returns the ids of the events of an evaluation, latest first. */
async function eventsOf(evaluation: string): Promise<number[]> {
  const { events } = await image.ask('definition-history', { package: null, name: null, evaluation, limit: 100 });
  return events.map(({ id }) => id);
}

/** Returns the author of the code in the latest event about a name; null if the event's actor is the author. */
async function authorOf(name: string): Promise<string | null> {
  const { events } = await image.ask('definition-history', { package: null, name, evaluation: null, limit: 1 });
  return events[0]!.author;
}

describe('what the person undid', () => {
  it.each(KINDS)(
    'Code that was undone is asked about wherever an agent still holds it, marked or not, and when the undo is undone: %s [issue 34.1]',
    async (_what, code, hold, callHeld, callAgain) => {
      await person('(defun u3 () :mine)');
      const evaluation = await define(code);
      await define(hold);
      expect(await requests(callHeld)).toBe(1);
      expect(await requests(callAgain)).toBe(1);
      const defined = await eventsOf(evaluation);
      const undone = await undo({ of: evaluation });
      await mark(image, defined);
      expect(await requests(callHeld)).toBe(1);
      await undo({ events: undone });
      expect(await requests(callAgain)).toBe(1);
    },
  );

  it('Code that the person had marked before they undid it is asked about, and a mark of what was undone changes nothing [issue 34.1]', async () => {
    const evaluation = await define('(defun m1 () (delete-file @))');
    await define("(defvar *m1* (list #'m1))");
    const marked = await eventsOf(evaluation);
    await mark(image, marked);
    await person('(funcall (first *m1*))');
    expect([asked.length, existsSync(file)]).toEqual([0, false]);
    await writeFile(file, 'kept');
    await undo({ of: evaluation });
    expect(await requests('(funcall (first *m1*))')).toBe(1);
    await mark(image, marked);
    expect(await requests('(funcall (first *m1*))')).toBe(1);
  });

  it('What an undone undo brings back has the author whose code it is, and runs as the person once they mark it there [issue 34.1]', async () => {
    const evaluation = await define('(defun m2 () (delete-file @))');
    expect(await authorOf('m2')).toBeNull();
    const undone = await undo({ of: evaluation });
    expect(await authorOf('m2')).toBeNull();
    const again = await undo({ events: undone });
    expect(await authorOf('m2')).toBe('client:tester');
    await mark(image, await eventsOf(evaluation));
    expect(await requests('(m2)')).toBe(1);
    await mark(image, again);
    await person('(m2)');
    expect(existsSync(file)).toBe(false);
  });

  it('An undo that brings back an earlier version of an agent has its author, unless the person had marked that version [issue 34.1]', async () => {
    const first = await define('(defun m3 () (delete-file @))');
    const second = await define('(defun m3 () (print 1) (delete-file @))');
    await undo({ of: second });
    expect(await authorOf('m3')).toBe('client:tester');
    expect(await requests('(m3)')).toBe(1);
    const [original] = await eventsOf(first);
    await undo({ events: [original!] });
    await define('(defun m4 () (delete-file @))');
    const { events } = await image.ask('definition-history', {
      package: null,
      name: 'm4',
      evaluation: null,
      limit: 1,
    });
    await mark(image, [events[0]!.id]);
    await undo({ of: await define('(defun m4 () (print 1) (delete-file @))') });
    expect(await authorOf('m4')).toBeNull();
    await person('(m4)');
    expect(existsSync(file)).toBe(false);
  });

  it("An undo of one version takes the mark of a later one that goes with it, and leaves the person's own code alone [issue 34.1]", async () => {
    await person('(defun m5 () (delete-file @))');
    const first = await define('(defun m5 () (print 1))');
    const second = await define('(defun m5 () (print 2) (delete-file @))');
    await define("(defvar *m5* (list #'m5))");
    await mark(image, await eventsOf(second));
    await undo({ of: first });
    expect(await requests('(funcall (first *m5*))')).toBe(1);
    expect(await authorOf('m5')).toBeNull();
    await person('(m5)');
    expect([asked.length, existsSync(file)]).toEqual([1, false]);
  });

  it('What is compiled again because of an undo is compiled as the agent who wrote it, also where the person had marked it [issue 34.1]', async () => {
    await define('(defmacro m6 () 1)');
    const callers = await define('(defun m7 () #.(if (fboundp (quote m8)) (list (quote delete-file) @) nil) (m6))');
    await mark(image, await eventsOf(callers));
    await define('(defun m8 () 1)');
    await undo({ of: await define('(defmacro m6 () 2)') });
    expect(await requests('(m7)')).toBe(1);
  });

  it('What was compiled together with an undone definition asks again, also where the person had marked it [issue 34.1]', async () => {
    const both = "(let () (defun m9 () (delete-file @)) (defun m10 () (delete-file @)) (defvar *m9* (list #'m9)))";
    const evaluation = await define(both);
    await mark(image, await eventsOf(evaluation));
    await person('(m10)');
    expect([asked.length, existsSync(file)]).toEqual([0, false]);
    await writeFile(file, 'kept');
    const { events } = await image.ask('definition-history', {
      package: null,
      name: 'm9',
      evaluation: null,
      limit: 1,
    });
    await undo({ events: [events[0]!.id] });
    expect(await requests('(funcall (first *m9*))')).toBe(1);
    expect(await requests('(m10)')).toBe(1);
  });

  it('A name that the person gave to the code of an agent asks once that is undone [issue 34.1]', async () => {
    const evaluation = await define('(defun m11 () (delete-file @))');
    await mark(image, await eventsOf(evaluation));
    await person("(setf (fdefinition 'mine) #'m11)");
    await undo({ of: evaluation });
    expect(await requests('(mine)')).toBe(1);
  });

  it('A condition that an undo brings back by its text has its author and asks, also where the person had marked it [issue 34.1]', async () => {
    const report = (more: string) =>
      `(define-condition m12 (error) () (:report (lambda (c s) c s ${more} (delete-file @))))`;
    await mark(image, await eventsOf(await define(report(''))));
    await undo({ of: await define(report('(print 1)')) });
    expect(await authorOf('m12')).toBe('client:tester');
    expect(await requests("(princ-to-string (make-condition 'm12))")).toBe(1);
  });
});
