/** Steps into functions that a form calls, including methods of generic functions and functions that the form calls implicitly. */
import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { frameOf, stopped } from './debugger.fixture.ts';
import { Steps } from './stepping.fixture.ts';

let test: TestImage;

beforeEach(async () => {
  test = await openTestImage();
}, 120_000);

afterEach(() => test.close());

async function from(name: string, code: string): Promise<Steps> {
  await test.ask('set-breakpoint', { function: name, set: true });
  return new Steps(test, await stopped(test, code));
}

/** Returns the call of the current frame, and the form that is marked in the frame's source. */
function standing({ at }: Steps) {
  const { call, source } = at.frames.find(({ internal }) => !internal)!;
  const place = source?.running;
  return [call, place ? place.text.slice(place.start, place.end) : null];
}

describe('steps into generic functions', () => {
  it('Methods of a file that were stepped through are as the file has them, after what the reader skips too [D6]', async () => {
    const file = `${test.directory}/priced.lisp`;
    await writeFile(
      file,
      `(defgeneric price (thing))
(defmethod price ((n integer)) (let ((twice (+ n n))) (format nil "~D" twice)))
(defmethod price :around (thing) (let ((found (call-next-method))) (list found thing)))
#+lispworks
(defun other () (lw:none (foo)))
(defun total (items) (mapcar #'price items))
`,
    );
    await test.value(`(load "${file}")`);
    const steps = await from('total', '(list (total (list 1 2)))');
    expect(steps.at.steps).toEqual({ within: true, out: false });
    await steps.to('+');
    while ((await steps.take('over')) !== null);
    const { definitions } = await test.ask('definition-states', { files: [{ file, text: null }], package: null });
    expect(definitions.filter(({ name }) => name !== 'OTHER').map(({ name, state }) => [name, state])).toEqual([
      ['PRICE', 'same'],
      ['PRICE (INTEGER)', 'same'],
      ['PRICE :AROUND (T)', 'same'],
      ['TOTAL', 'same'],
    ]);
  });

  it('A step into a generic function stops in its method, at the form of its source [D6]', async () => {
    await test.value(`(defgeneric area (shape factor))
(defmethod area ((side integer) factor) (list (* side side) (+ side factor)))
(defun measured (x) (reverse (area x 2)))`);
    const steps = await from('measured', '(list (measured 7))');
    await steps.to('AREA');
    expect(await steps.take('into')).toBe('(* SIDE SIDE)');
    expect(standing(steps)).toEqual(['((:METHOD AREA (INTEGER T)) 7 2)', '(* side side)']);
    const { locals } = await test.ask('frame-locals', {
      debugger: steps.at.id,
      frame: frameOf(steps.at, '(:METHOD AREA'),
    });
    expect(locals.map(({ name, value }) => [name, value?.text])).toEqual([
      ['FACTOR', '2'],
      ['SIDE', '7'],
    ]);
    expect(steps.note).toBeNull();
    expect(await steps.take('out')).toBe('(REVERSE (AREA X 2))');
    while ((await steps.take('into')) !== null);
    // After the evaluation the original method is defined again, and no other method was reported.
    const { definitions } = await test.ask('find-definition', { context: 'test', symbol: 'area', package: null });
    expect(definitions.filter(({ kind }) => kind === 'method')).toHaveLength(1);
    expect(await test.value('(area 3 1)')).toBe('(9 4)');
  });

  it.each(['evaluated', 'loaded', 'compiled'])(
    'A step into a method that a macro of the code defines stops in it, at the forms of the call of the macro: %s [D6]',
    async (how) => {
      const file = `${test.directory}/shapes.lisp`;
      const text = `(defmacro define-area (class (side) &body body)
  \`(progn (defvar *seen* 0) (defmethod area ((,side ,class)) (incf *seen*) ,@body)))
(define-area integer (n)
  (list n (* n n)))
(defun total (x) (list (area x)))
`;
      await writeFile(file, text);
      const code = { evaluated: text, loaded: `(load "${file}")`, compiled: `(load (compile-file "${file}"))` }[how]!;
      await test.value(code);
      const steps = await from('total', '(total 4)');
      await steps.to('AREA');
      // If the macro itself inserted the form, the macro call is shown.
      expect(await steps.take('into')).toBe('(+ 1 *SEEN*)');
      expect(standing(steps)).toEqual([
        '((:METHOD AREA (INTEGER)) 4)',
        '(define-area integer (n)\n  (list n (* n n)))',
      ]);
      expect(await steps.take('into')).toBe('(* N N)');
      expect(standing(steps)).toEqual(['((:METHOD AREA (INTEGER)) 4)', '(* n n)']);
      while ((await steps.take('over')) !== null);
      expect(await test.value('(area 3)')).toBe('(3 9)');
    },
  );

  it('A step into goes through methods in the order of the call: :around, :before, primary ones, :after [D6]', async () => {
    await test.value('(defun note (what) (list what (random 3)))');
    await test.value(`(defgeneric shown (x) (:method ((x number)) (note :less)))
(defmethod shown ((x integer)) (note :primary) (call-next-method))
(defmethod shown :before ((x integer)) (note :before))
(defmethod shown :after ((x number)) (note :after))
(defmethod shown :around ((x integer)) (note :around) (call-next-method))
(defun caller (x) (first (shown x)))`);
    const steps = await from('caller', '(caller 4)');
    await steps.to('SHOWN');
    const forms = [await steps.take('into')];
    while (forms.at(-1) !== null) forms.push(await steps.take('over'));
    expect(forms.filter((form) => form?.startsWith('(NOTE'))).toEqual([
      '(NOTE :AROUND)',
      '(NOTE :BEFORE)',
      '(NOTE :PRIMARY)',
      '(NOTE :LESS)',
      '(NOTE :AFTER)',
    ]);
  });

  it.each([
    [
      'a method combination',
      '(defgeneric total (x) (:method-combination +))',
      '(defmethod total + ((x integer)) (* x x))',
      '(total 3)',
    ],
    [
      'a method on one object',
      '(defgeneric total (x))',
      "(defmethod total ((x (eql 'tea))) (list x (random 9)))",
      "(total 'tea)",
    ],
    [
      'a SETF function',
      '(defgeneric (setf total) (v x))',
      '(defmethod (setf total) (v (x cons)) (setf (car x) (list v (random 9))))',
      '(setf (total (list 1)) 6)',
    ],
    [
      'optional and key parameters',
      '(defgeneric total (x &optional y &key z))',
      '(defmethod total ((x integer) &optional (y 1) &key (z 2)) (list (* x y z)))',
      '(total 3 4)',
    ],
    [
      'a method that declares an optimization',
      '(defgeneric total (x))',
      '(defmethod total ((x integer)) "Doc." (declare (optimize speed (debug 0))) (list (* x x)))',
      '(total 3)',
    ],
    [
      'a generic function of a class of its own',
      '(defclass totals (standard-generic-function) () (:metaclass sb-mop:funcallable-standard-class))',
      '(defgeneric total (x) (:generic-function-class totals) (:method ((x integer)) (list (* x x))))',
      '(total 3)',
    ],
  ])('A step into %s stops in its method [D6]', async (_what, generic, method, call) => {
    await test.value('(declaim (optimize (speed 3) (debug 0)))');
    await test.value(generic);
    await test.value(method);
    await test.value(`(defun caller () (let ((value ${call})) (list value)))`);
    const steps = await from('caller', '(caller)');
    while (!steps.at.frames.find(({ internal }) => !internal)!.call.includes('(:METHOD'))
      expect(await steps.take('into')).not.toBeNull();
    expect(steps.at.step!.form).toMatch(/^\((\*|RANDOM)/);
  });

  it('A step from the breakpoint of a generic function stops in its method, and each call of it stops once [D6]', async () => {
    await test.value(`(defgeneric deep (n))
(defmethod deep ((n integer)) (if (plusp n) (list (* n n) (deep (- n 1))) (list :bottom)))`);
    const steps = await from('deep', '(deep 1)');
    expect(await steps.take('into')).toBe('(* N N)');
    expect(await steps.take('over')).toBe('(- N 1)');
    expect(await steps.take('over')).toBe('(DEEP (- N 1))');
    expect(await steps.take('into')).toBe('Breakpoint: DEEP is called with 0.');
  });

  it('Methods of a file are stepped through in the file, also those among the options of DEFGENERIC [D6]', async () => {
    const file = `${test.directory}/shapes.lisp`;
    await writeFile(
      file,
      `;; ä
(defpackage :shapes (:use :cl)) (in-package :shapes)
(defgeneric area (shape)
  (:documentation "Its area.")
  (:method ((shape symbol))
    (list (length (symbol-name shape)) (random 3))))
(defmethod area ((shape integer))
  (list (* shape shape)))
(defun areas (x y) (let ((a (area x))) (list a (area y))))`,
    );
    await test.value(`(load (compile-file "${file}"))`);
    const steps = await from('shapes::areas', "(shapes::areas 3 'tea)");
    await steps.to('AREA X');
    expect(await steps.take('into')).toMatch(/^\(\* /);
    expect(standing(steps)[1]).toBe('(* shape shape)');
    expect(steps.at.frames.find(({ internal }) => !internal)!.source).toMatchObject({ file, running: { line: 8 } });
    await steps.to('RANDOM');
    expect(standing(steps)[1]).toBe('(random 3)');
  });

  it('A method that is defined anew while its call is stepped through stays [D6]', async () => {
    await test.value(
      '(defgeneric fixed (x)) (defmethod fixed ((x integer)) (list (* x x))) (defun caller (x) (list (fixed x)))',
    );
    const steps = await from('caller', '(caller 3)');
    await steps.to('FIXED');
    expect(await steps.take('into')).toBe('(* X X)');
    await test.value('(defmethod fixed ((x integer)) (list :fixed x))', { context: 'other' });
    expect(await steps.take('out')).toBeNull();
    expect(await test.value('(fixed 3)')).toBe('(:FIXED 3)');
  });
});

describe('steps into other functions', () => {
  it('A step into a function of another package than the current one stops in it [D6]', async () => {
    await test.value('(defpackage :elsewhere (:use :cl))');
    await test.value(
      '(in-package :elsewhere) (defun inner (x) (list (* x 2))) (defun outer (x) (first (inner x))) (in-package :cl-user)',
    );
    const steps = await from('elsewhere::outer', '(elsewhere::outer 4)');
    while (!/INNER/.test(steps.at.step?.form ?? '')) expect(await steps.take('into')).not.toBeNull();
    expect(await steps.take('into')).toMatch(/^\(\* .*X 2\)/);
  });

  it.each([
    [
      'a SETF function',
      '(setf (kept x) 5)',
      '(defun (setf kept) (v x) (setf (get x :kept) (list v (random 5))))',
      '(RANDOM 5)',
    ],
    ['a function that FUNCALL calls', "(funcall 'kept x)", '(defun kept (x) (list x (random 5)))', '(RANDOM 5)'],
    ['a function that MAPCAR calls', "(mapcar #'kept (list x))", '(defun kept (x) (list x (random 5)))', '(RANDOM 5)'],
    ['a local function', '(labels ((kept (x) (list x (random 5)))) (kept x))', nothing(), '(RANDOM 5)'],
    ['a closure', '(let ((closure (lambda (y) (list x y (random 5))))) (funcall closure 3))', nothing(), '(RANDOM 5)'],
  ])('A step into the form around a call of %s stops in it [D6]', async (_what, call, definition, form) => {
    await test.value(definition);
    await test.value(`(defun caller (x) (let ((value ${call})) (list value)))`);
    const steps = await from('caller', "(caller 'it)");
    await steps.take('into');
    await steps.to(form.slice(1));
    expect(steps.at.step!.form).toBe(form);
  });

  it('A step into a function that calls one which is not defined stops in it [D6]', async () => {
    await test.value('(defun inner (x) (list (* x 2) (not-yet-defined x)))');
    await test.value('(defun outer (x) (first (inner x)))');
    const steps = await from('outer', '(outer 4)');
    await steps.to('INNER');
    expect(await steps.take('into')).toMatch(/^\(\* /);
    expect(standing(steps)).toEqual(['(INNER 4)', '(* x 2)']);
  });

  it.each(['evaluated', 'loaded', 'compiled'])(
    'Steps in local functions of a function and of a method stop at their forms in the source: %s [D6]',
    async (how) => {
      const file = `${test.directory}/local.lisp`;
      const text = `(defun walked (n)
  (flet ((twice (x) (list (* x 2))))
    (declare (notinline twice))
    (labels ((walk (n) (if (plusp n) (walk (- n 1)) (mapcar (lambda (y) (list (random y))) (twice (+ n 4))))))
      (walk n))))
(defgeneric shown (x))
(defmethod shown ((x integer))
  (flet ((thrice (y) (list (* y 3))))
    (declare (notinline thrice))
    (list (walked x) (thrice x))))
(defun caller (x) (list (shown x)))
`;
      await writeFile(file, text);
      const code = { evaluated: text, loaded: `(load "${file}")`, compiled: `(load (compile-file "${file}"))` }[how]!;
      await test.value(code);
      const steps = await from('caller', '(caller 1)');
      const places: unknown[] = [];
      while ((await steps.take('into')) !== null) places.push(standing(steps)[1]);
      expect(places).toEqual(expect.arrayContaining(['(- n 1)', '(* x 2)', '(random y)', '(* y 3)']));
    },
  );

  it.each([
    [
      'whose source is not known',
      '(funcall (compile nil (quote (lambda () (defun unknown (x) (list (* x 2)))))))',
      '3',
      /^UNKNOWN was stepped over: the source of it is not known/,
    ],
    [
      'without a form to stop at',
      '(defun unknown (x) x)',
      '3',
      /^UNKNOWN was stepped over: a step cannot stop at any form of it\.$/,
    ],
    [
      'whose method has no form to stop at',
      '(defgeneric unknown (x)) (defmethod unknown ((x integer)) x)',
      '3',
      /^UNKNOWN was stepped over: a step cannot stop at any form of its method/,
    ],
    [
      'that reads a slot',
      '(defclass known () ((x :initform 1 :reader unknown)))',
      "(make-instance 'known)",
      /^UNKNOWN was stepped over: it only reads or writes a slot/,
    ],
  ])('A step into a function %s says why it is stepped over [D6]', async (_what, definition, argument, note) => {
    await test.value(definition);
    await test.value('(defun caller (x) (list (unknown x) (random 3)))');
    const steps = await from('caller', `(caller ${argument})`);
    await steps.to('UNKNOWN');
    expect(await steps.take('into')).toBe('(RANDOM 3)');
    expect(steps.note).toMatch(note);
    // Steps skip Lisp's own functions without a message.
    await steps.take('into');
    expect(steps.note).toBeNull();
  });
});

function nothing(): string {
  return ':nothing';
}
