/** What agents' macros and expanders expand to, what trusted code makes of agents' data, and what is interpreted stay the agents'. */
import { existsSync } from 'node:fs';
import { realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AGENT, decideAll } from './effects.fixture.ts';
import { openTestImage, type TestImage } from './image.fixture.ts';
import type { EffectRecord } from '#contract/effect.ts';

let image: TestImage;
let file: string;
let asked: EffectRecord[];

beforeAll(async () => {
  image = await openTestImage();
  file = path.join(await realpath(image.directory), 'file');
  asked = decideAll(image, 'deny');
});

afterAll(() => image.close());

beforeEach(async () => {
  await writeFile(file, 'kept');
  asked.length = 0;
});

/** `@` stands for the file. */
const agent = async (code: string) => {
  const before = asked.length;
  const reply = await image.evaluate(code.replaceAll('@', `"${file}"`), AGENT);
  expect([reply.condition, asked.length]).toEqual([null, before]);
};
const person = (code: string) => image.evaluate(code.replaceAll('@', `"${file}"`));

/** What the agent evaluates, what the person does then, and what they do to take it away again. */
type Way = readonly [what: string, define: string, call: string, undo?: string];

const INTERPRETED = (code: string) => `(let ((sb-ext:*evaluator-mode* :interpret)) (eval '${code}))`;

const EXPANSIONS: Way[] = [
  ['a closure', "(defmacro a1 () '(lambda () (delete-file @)))", '(funcall (a1))'],
  [
    'a closure over what is around it',
    "(defmacro a2 () '(let ((n 0)) (list (lambda () (incf n) (delete-file @)))))",
    '(let ((f (first (a2)))) (funcall f))',
  ],
  [
    'a closure with optional arguments, kept for later',
    "(defmacro a3 () '(setf (get 'a3 'f) (lambda (&optional (x (delete-file @)) &key y) (list x y))))",
    "(progn (a3) (mapcar (get 'a3 'f) (list 1)) (funcall (get 'a3 'f)))",
  ],
  ['a local function that is handed on', "(defmacro a4 () '(flet ((f () (delete-file @))) #'f))", '(funcall (a4))'],
  [
    'a closure within a function of the person',
    "(defmacro a5 () '(lambda () (delete-file @)))",
    '(progn (defun a5-mine () (a5)) (funcall (a5-mine)))',
  ],
  [
    'a closure within what the person compiles',
    "(defmacro a6 () '(lambda () (delete-file @)))",
    "(funcall (funcall (compile nil '(lambda () (a6)))))",
  ],
  ['a function', '(defmacro b1 (n) `(defun ,n () (delete-file @)))', '(progn (b1 b1-n) (b1-n))'],
  [
    'a function that is to be inline',
    '(defmacro b2 (n) `(progn (declaim (inline ,n)) (defun ,n () (delete-file @))))',
    "(progn (b2 b2-n) (funcall (compile nil '(lambda () (b2-n)))))",
  ],
  ['a macro', '(defmacro b3 (n) `(defmacro ,n () (delete-file @) 1))', '(progn (b3 b3-n) (eval (list (quote b3-n))))'],
  [
    'a macro and its expansion',
    "(defmacro b4 (n) `(defmacro ,n () '(lambda () (delete-file @))))",
    '(progn (b4 b4-n) (funcall (eval (list (quote b4-n)))))',
  ],
  [
    'a method',
    '(defmacro b5 (n) `(defmethod ,n ((x integer)) (delete-file @)))',
    '(progn (b5 b5-n) (funcall (quote b5-n) 1))',
  ],
  ['a type', '(defmacro b6 (n) `(deftype ,n () (delete-file @) t))', '(progn (b6 b6-n) (typep 1 (quote b6-n)))'],
  [
    'an initial value of a slot',
    '(defmacro b7 (n) `(defclass ,n () ((a :initform (delete-file @)))))',
    "(progn (b7 b7-n) (make-instance 'b7-n))",
  ],
  [
    'an initial value of a structure',
    '(defmacro b8 (n) `(defstruct ,n (a (delete-file @))))',
    "(progn (b8 b8-n) (funcall 'make-b8-n))",
  ],
  [
    'a setf function',
    '(defmacro b9 (n) `(defun (setf ,n) (new) (delete-file @) new))',
    '(progn (b9 b9-n) (eval (quote (setf (b9-n) 1))))',
  ],
  [
    'a compiler macro',
    '(defmacro b10 (n) `(progn (defun ,n () 1) (define-compiler-macro ,n () (delete-file @) 1)))',
    "(progn (b10 b10-n) (compile nil '(lambda () (b10-n))))",
  ],
  ['a value that is worked out at load time', "(defmacro c1 () '(load-time-value (delete-file @)))", '(c1)'],
  [
    'a closure that is made at load time',
    "(defmacro c2 () '(load-time-value (lambda () (delete-file @))))",
    '(funcall (c2))',
  ],
  [
    'a value of load time behind a local symbol macro',
    "(defmacro c3 () '(symbol-macrolet ((x (load-time-value (delete-file @) t))) x))",
    '(c3)',
  ],
  [
    'a value of load time within a function of the person',
    "(defmacro c4 () '(load-time-value (delete-file @)))",
    '(defun c4-mine () (list (c4)))',
  ],
  ['a local macro', "(defmacro c5 () '(macrolet ((m () (delete-file @) nil)) (m)))", '(c5)'],
  [
    'a local macro within a function of the person',
    "(defmacro c6 () '(macrolet ((m () (delete-file @) nil)) (m)))",
    '(defun c6-mine () (list (c6)))',
  ],
  [
    'the expansion of a local macro',
    "(defmacro c7 () '(macrolet ((m () '(lambda () (delete-file @)))) (m)))",
    '(funcall (c7))',
  ],
  [
    'a variable that is bound while it is compiled',
    "(defmacro c8 () '(sb-cltl2:compiler-let ((*print-base* (progn (delete-file @) 10))) 1))",
    '(list (c8))',
  ],
  [
    'a closure below a forged mark',
    `(defmacro c9 (&environment e)
       (declare (ignorable e))
       '(macrolet ((forged (&environment e)
                     (list 'symbol-macrolet (list (list (caar (last (sb-c::lexenv-vars e))) nil)) '(lambda () (delete-file @)))))
          (forged)))`,
    '(funcall (c9))',
  ],
  ['a closure from a symbol macro', '(define-symbol-macro d1 (lambda () (delete-file @)))', '(funcall d1)'],
  ['a value of load time from a symbol macro', '(define-symbol-macro d2 (load-time-value (delete-file @)))', 'd2'],
  [
    'a closure from a compiler macro',
    "(defun d3 () nil) (define-compiler-macro d3 () '(lambda () (delete-file @)))",
    "(funcall (funcall (compile nil '(lambda () (d3)))))",
  ],
  [
    'a closure from a setf expander',
    "(define-setf-expander d4 () (values nil nil '(s) '(progn (setf (get 'd4 'f) (lambda () (delete-file @))) s) 1))",
    "(progn (setf (d4) 1) (funcall (get 'd4 'f)))",
  ],
  [
    'a closure from the storing form of DEFSETF',
    "(defsetf d5 () (new) `(progn (setf (get 'd5 'f) (lambda () (delete-file @))) ,new))",
    "(progn (setf (d5) 1) (funcall (get 'd5 'f)))",
  ],
  [
    'a closure from a method combination',
    "(define-method-combination d6 () ((methods *)) `(progn (setf (get 'd6 'f) (lambda () (delete-file @))) (call-method ,(first methods))))",
    "(progn (defgeneric d6-g (x) (:method-combination d6)) (defmethod d6-g ((x integer)) x) (d6-g 1) (funcall (get 'd6 'f)))",
  ],
];

describe('what the macro of an agent expands to, for the person', () => {
  it.each(EXPANSIONS)('%s waits for the person, on a card that says whose it is', waits);
});

async function waits(_what: string, define: string, call: string, undo?: string) {
  await agent(define);
  await person(call);
  if (undo !== undefined) await person(undo);
  expect(asked.map(({ actor, operator, definedBy }) => [actor, operator, definedBy?.actor])).toEqual([
    ['person', 'DELETE-FILE', 'client:tester'],
  ]);
  expect(existsSync(file)).toBe(true);
}
