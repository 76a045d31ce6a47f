/** Functions that an agent compiles contain the guard's test at their entry, but otherwise behave as in plain SBCL. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENT, decideAll } from '../effects.fixture.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { findSbcl } from '#core/lisp/start/sbcl.ts';

/** Source texts to compile, each with a form whose value must be the same as in plain SBCL. */
const TEXTS: Record<string, readonly [text: string, form: string]> = {
  'an inline function that is also passed on': [
    "(declaim (inline ea)) (defun ea (x) (1+ x)) (defun ea2 (l) (list (ea 1) (mapcar #'ea l)))",
    "(ea2 '(1 2))",
  ],
  'an inline function that is called by its name': [
    "(declaim (inline eb)) (defun eb (x) (* x x)) (defun eb2 (l) (list (eb 3) (mapcar 'eb l) (mapcar #'eb l)))",
    "(eb2 '(1 2))",
  ],
  'inline functions with optional and keyword parameters': [
    "(declaim (inline ec ec3)) (defun ec (x &optional (y 10)) (+ x y)) (defun ec3 (x &key (y 10)) (+ x y)) (defun ec2 (l) (list (ec 1) (ec 1 2) (mapcar #'ec l) (ec3 1) (ec3 1 :y 2) (mapcar #'ec3 l)))",
    "(ec2 '(1 2))",
  ],
  'a local function declared inline and passed on': [
    "(defun ee (l k) (labels ((h (x) (* k x))) (declare (inline h)) (list (h 1) (mapcar #'h l))))",
    "(ee '(1 2) 3)",
  ],
  'a rest argument that sequence functions take apart': [
    "(defun ef (x &rest args) (unless (if (eq x :tud) (zerop (first args)) (every #'identity args)) args))",
    '(list (ef :tud 0) (ef 1 2 nil))',
  ],
  'code that cannot be right': [
    "(defun eg (x &rest args) (unless (if (eq x :tud) (zerop (first args)) (every #'identity args (every #'identity args))) args))",
    "(fboundp 'eg)",
  ],
  'a proclaimed function that returns a double': [
    '(declaim (ftype (function (double-float) (values double-float &optional)) eh)) (defun eh (x) (* x 2d0))',
    '(eh 2d0)',
  ],
  'a proclaimed function that returns two doubles': [
    '(declaim (ftype (function (double-float) (values double-float double-float &optional)) ei)) (defun ei (x) (values (* x 2d0) x))',
    '(multiple-value-list (ei 2d0))',
  ],
  'a proclaimed function that returns nothing known': [
    '(declaim (ftype (function (t) nil) ej)) (defun ej (x) (error "no ~A" x))',
    '(handler-case (ej 1) (error (c) (princ-to-string c)))',
  ],
  'the derived type of a function': [
    '(defun ek (x) (list x)) (defun el (x y) (declare (fixnum x y)) (+ x y))',
    "(mapcar (lambda (f) (sb-kernel:%simple-fun-type (fdefinition f))) '(ek el))",
  ],
  'functions of a loop over tests, as FiveAM has': [
    "(declaim (inline em)) (defun em (key table) (gethash key table)) (defun em2 (names table) (labels ((one (n) (or (em n table) (return-from em2 n))) (all (l) (mapc #'one l))) (declare (inline one)) (all names) (one (first names))))",
    "(let ((table (make-hash-table))) (setf (gethash 1 table) 2) (list (em2 '(1) table) (em2 '(1 3) table)))",
  ],
  'a closure on the stack': [
    "(defun en (l n) (flet ((f (x) (+ x n))) (declare (dynamic-extent #'f)) (mapcar #'f l)))",
    "(en '(1 2) 3)",
  ],
  'a macro, a setf expander and a compiler macro': [
    '(defmacro eo (a &key b) `(list ,a ,b)) (defsetf eo2 (x) (v) `(list :stored ,x ,v)) (define-compiler-macro eo3 (x) `(list :compiled ,x)) (defun eo3 (x) (list x)) (defun eo4 () (list (eo 1 :b 2) (setf (eo2 1) 3) (eo3 4)))',
    '(eo4)',
  ],
};

const load = (file: string, compile: string): string =>
  `(let ((*error-output* (make-broadcast-stream))) ${compile.replace('@', JSON.stringify(file))})`;
const WAYS = {
  'in a file': '(load (compile-file @))',
  'form by form': '(load @)',
};

let image: TestImage;
let plain: Map<string, string>;

beforeAll(async () => {
  image = await openTestImage();
  decideAll(image, 'proceed');
  const names = Object.keys(TEXTS);
  for (const [index, name] of names.entries()) writeFileSync(at(index), TEXTS[name]![0]);
  const script = at('plain');
  writeFileSync(
    script,
    names
      .map(
        (name, index) =>
          `${load(at(index), '(load (compile-file @))')} (format t "~&§~a¶" (write-to-string ${TEXTS[name]![1]} :pretty nil))`,
      )
      .join('\n'),
  );
  const { stdout, stderr } = spawnSync(
    (await findSbcl(null, process.env)).path,
    ['--noinform', '--no-sysinit', '--no-userinit', '--disable-debugger', '--load', script],
    { input: '', encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } },
  );
  const values = stdout.split('§').slice(1);
  if (values.length !== names.length)
    throw new Error(`${values.length} values for ${names.length} texts: ${stdout.slice(-600)} ${stderr.slice(0, 900)}`);
  plain = new Map(names.map((name, index) => [name, values[index]!.split('¶')[0]!]));
}, 120_000);

afterAll(() => image.close());

function at(name: string | number): string {
  return path.join(image.directory, `compiled-${name}.lisp`);
}

describe('compiled code of an agent', () => {
  for (const [index, [name, [, form]]] of Object.entries(TEXTS).entries()) {
    it.each(Object.entries(WAYS))(
      `Code that an agent compiled does what it does in plain SBCL: ${name}, %s`,
      async (_way, compile) => {
        const agent = { ...AGENT, context: `compiled ${index}` };
        const { condition } = await image.evaluate(load(at(index), compile), agent);
        expect(condition?.message).toBeUndefined();
        const { values } = await image.evaluate(`(write-to-string ${form} :pretty nil)`, agent);
        expect(JSON.parse(values[0]!.text)).toBe(plain.get(name));
      },
    );
  }
});
