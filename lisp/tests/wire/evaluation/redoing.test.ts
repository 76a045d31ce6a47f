import { describe, expect, it } from 'vitest';
import { guardedImage } from '../guarded-image.fixture.ts';

const { image, byAgent, person } = await guardedImage();

const redoable = async (code: string): Promise<boolean> => (await byAgent(code)).redoable;

describe('whether an evaluation can be made again', () => {
  it.each([
    '(defun f (x) (list x :again))',
    '(defmacro m (x) `(list ,x))',
    '(defclass c () ((a :initform 1 :accessor a)))',
    '(defmethod m2 ((x integer)) x)',
    '(defstruct s a b)',
    '(define-condition oops (error) ())',
    '(defpackage :made-again (:use :cl))',
    '(defvar *table* (make-hash-table))',
    '(setf (gethash :a *table*) (make-instance (quote c)))',
    '(progn (format t "told~%") (compile (quote f)))',
    '(handler-case (error (quote oops)) (oops () :caught))',
    '(probe-file "/")',
  ])('The code %s stays within the image [decision 43]', async (code) => {
    expect(await redoable(code)).toBe(true);
  });

  it.each([
    ['one that fails', '(error "x")'],
    ['a file that is read', '(with-open-file (s @) (read-line s))'],
    ['a file in the temporary folder', '(open (merge-pathnames "new" (uiop:temporary-directory)) :direction :probe)'],
    ['a program', '(ignore-errors (sb-ext:run-program "/bin/true" nil))'],
    ['the environment', '(ignore-errors (sb-posix:setenv "A" "b" 1))'],
    ['a file, in a function of its own', '(progn (defun r () (with-open-file (s @) (read-line s))) (r))'],
    [
      'a file, in a thread',
      '(sb-thread:join-thread (sb-thread:make-thread (lambda () (with-open-file (s @) (read-line s)))))',
    ],
    ['a file while something is compiled', '(macrolet ((m () (with-open-file (s @) (read-line s)))) (m))'],
    ['a file while something is read', '(quote #.(with-open-file (s @) (read-line s)))'],
  ])('Evaluated code reaches outside: %s [decision 43]', async (_what, code) => {
    expect(await redoable(code)).toBe(false);
    expect(await redoable('(list 1)')).toBe(true);
  });

  it('Code that may write to something that is open reaches outside, also where that is then closed [decision 43]', async () => {
    await person(
      '(defvar *log* (open @ :direction :output :if-exists :append)) (defun note () (write-line "x" *log*))',
    );
    expect(await redoable('(note)')).toBe(false);
    expect(await redoable('(close *log*)')).toBe(false);
    expect(await redoable('(list 1)')).toBe(true);
  });

  it.each([
    [
      'threads',
      '(defvar *stop* nil) (defvar *thread* (sb-thread:make-thread (lambda () (loop until *stop* do (sleep 0.01)))))',
      '(setf *stop* t) (sb-thread:join-thread *thread*)',
    ],
    [
      'timers',
      '(defvar *timer* (sb-ext:make-timer (lambda ()))) (sb-ext:schedule-timer *timer* 1000)',
      '(sb-ext:unschedule-timer *timer*)',
    ],
  ])('No evaluation can be made again while %s work by themselves [decision 43]', async (_what, begin, end) => {
    await person(begin);
    expect(await redoable('(list 1)')).toBe(false);
    await person(end);
    expect(await redoable('(list 1)')).toBe(true);
  });

  it('No evaluation can be made again where another one waits [decision 43]', async () => {
    const waits = image.evaluate('(read-line)', { interactive: true, evaluation: 'waits' });
    await image.next('input-requested');
    expect(await redoable('(list 1)')).toBe(false);
    await image.ask('input', { evaluation: 'waits', text: 'x' });
    await waits;
    expect(await redoable('(list 1)')).toBe(true);
  });
});
