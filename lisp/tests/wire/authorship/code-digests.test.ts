/** Digests of the code that agents define: equal for equal code, different if any compiled or closed-over part differs. */
import { describe, expect, it } from 'vitest';
import { guardedImage } from '../guarded-image.fixture.ts';

const { image, agent, person } = await guardedImage();

/** Evaluates code as the agent, and returns the digest of the latest event of the name. */
async function digestOf(code: string, name = 'd1'): Promise<string | null> {
  await agent(code);
  const { events } = await image.ask('definition-history', { package: null, name, evaluation: null, limit: 1 });
  return events[0]!.code;
}

const SAME: [what: string, code: string][] = [
  ['a function', '(defun d1 (x &key y) (list x y (delete-file x) "abc" \'sym :k 1.5 #\\a))'],
  ['a macro', '(defmacro d1 (x) (let ((y (gensym))) `(let ((,y ,x)) ,y)))'],
  ['a closure', '(let ((n 1) (m (list "a" 2))) (defun d1 () (incf n) m))'],
  ['a handler', '(defun d1 () (handler-case (error "x") (error (c) (princ c))))'],
  [
    'a loop',
    '(defun d1 (x) (case x (1 :a) (2 :b) (3 :c) (4 :d) (5 :e) (:foo 1) (t (loop for i below 10 collect (sin (* i x))))))',
  ],
  [
    'local functions',
    "(defun d1 (x) (labels ((f (n) (if (zerop n) #'g (f (1- n)))) (g () (f x))) (mapcar (lambda (y) (list y (f y))) x)))",
  ],
  ['a compiler macro', '(define-compiler-macro d1 (x) `(list ,x))'],
  ['a setf expander', '(define-setf-expander d1 () (values nil nil nil nil nil))'],
];

/** Pairs of forms with the same name that must have different digests. */
const OTHER: [what: string, one: string, other: string][] = [
  ['a constant', '(defun d1 () "one")', '(defun d1 () "two")'],
  ['a symbol of another package', "(defun d1 () 'cl-user::x)", "(defun d1 () 'keyword::x)"],
  ['a function that it calls', '(defun d1 (x) (probe-file x))', '(defun d1 (x) (delete-file x))'],
  ['a number', '(defun d1 () 1.0d0)', '(defun d1 () 1.5d0)'],
  [
    'an object made as it is loaded',
    '(defun d1 () (load-time-value (list 1)))',
    '(defun d1 () (load-time-value (list 2)))',
  ],
  ['a value that it closes over', '(let ((x 1)) (defun d1 () x))', '(let ((x (list 1))) (defun d1 () x))'],
  ['a variable that it changes', '(let ((x 1)) (defun d1 () (incf x)))', '(let ((x 2)) (defun d1 () (incf x)))'],
  [
    'a function that it closes over',
    '(let ((f (lambda () 1))) (defun d1 () (funcall f)))',
    '(let ((f (lambda () (delete-file "x")))) (defun d1 () (funcall f)))',
  ],
  [
    'what stands beside it in one form',
    '(let () (defun d1 () 1) (list (lambda () 1)))',
    '(let () (defun d1 () 1) (list (lambda () (delete-file "x"))))',
  ],
  ['the kind of a variable', '(defun d1 (x) (list x))', '(defun d1 (x) (declare (special x)) (list x))'],
  [
    'a part of a quoted list',
    '(defun d1 () (eval \'(list 1 (2 (3 #(4 "5"))))))',
    '(defun d1 () (eval \'(list 1 (2 (3 #(4 "6"))))))',
  ],
  ['shared structure', "(defun d1 () '(#1=(1) #1#))", "(defun d1 () '((1) (1)))"],
];

describe('the digest of what an agent defined', () => {
  it.each(SAME)('The same code has the same digest, also after a collection: %s [issue 34.1]', async (_what, code) => {
    const one = await digestOf(code);
    await person('(progn (sb-ext:gc :full t) (compile nil \'(lambda (x) (list x))) (intern "OTHER-NAME") 1)');
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(await digestOf(code)).toBe(one);
    await person("(progn (fmakunbound 'd1) (setf (compiler-macro-function 'd1) nil))");
  });

  it.each(OTHER)('Code that differs by %s has another digest [issue 34.1]', async (_what, one, other) => {
    const first = await digestOf(one);
    const second = await digestOf(other);
    expect([first, second]).not.toContain(null);
    expect(second).not.toBe(first);
  });

  it('Code with a constant that cannot be compared, and code that was not compiled just now, have no digest [issue 34.1]', async () => {
    await agent('(defclass held () ()) (defvar *held* (make-instance (quote held)))');
    expect(await digestOf('(defun d1 () (load-time-value (make-instance (quote held))))')).toBeNull();
    expect(await digestOf('(let ((x *held*)) (defun d1 () x))')).toBeNull();
    expect(await digestOf('(let ((x (make-hash-table))) (defun d1 () x))')).toBeNull();
    expect(await digestOf('(defun d1 () (load-time-value (make-string 2000000)))')).toBeNull();
    expect(await digestOf('(defun d1 () (load-time-value (make-list 100000)))')).toBeNull();
    expect(await digestOf('(defun d1 () (load-time-value (make-array 2 :element-type nil)))')).toBeNull();
    expect(await digestOf("(let ((sb-ext:*evaluator-mode* :interpret)) (eval '(defun d1 () 1)))")).toBeNull();
  });

  it("The person's own definitions need no digest [issue 34.1]", async () => {
    await person('(defun d2 () 1)');
    const { events } = await image.ask('definition-history', { package: null, name: 'd2', evaluation: null, limit: 1 });
    expect(events[0]!.code).toBeNull();
  });
});
