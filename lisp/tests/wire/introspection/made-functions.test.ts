import { utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

/**
 * A file that defines functions without naming them in a form of their own, for example accessors. It also contains other functions with
 * these names, and calls of the functions.
 */
const STABLE = `(defpackage :stable (:use :cl))
(in-package :stable)
(defgeneric pace (it))
(progn
  (defclass horse (standard-object)
    ((pace :initarg :pace
            :accessor pace)
     (age :reader age :writer set-age)
     (rider
      :accessor rider)))
  (defmethod reinitialize-instance :after ((it horse) &key) (list (pace it) (rider it))))
(defmethod (setf rider) :before (value (it horse)) value)
(defun use (rod) (list (rod-size rod)
                       (rod-size rod)))
(defclass cart () ((age :accessor age) (pace :accessor pace)))
(defstruct (stick (:conc-name rod-)
                  (:predicate rod?)
                  (:copier duplicate-rod)
                  (:constructor build-rod)
                  (:constructor rod-of (size)))
  "A stick."
  (size 0 :type fixnum)
  colour)
(defstruct (staff (:include stick))
  grip)
(define-condition bolted (error)
  ((why :initarg :why
        :reader bolted-why)
   (when :accessor bolted-when)))
(macrolet ((define (name)
             \`(defun ,(intern (format nil "~A-TAMED-P" name)) (it) (typep it ',name))))
  (define horse)
  (define
    cart))
(defmacro define-simple (name &rest slots)
  \`(defclass ,name ()
     ,(loop for slot in slots collect \`(,slot :accessor ,(intern (format nil "~A-~A" name slot))))))
(define-simple barn
  door)
(declaim (ftype (function (t) t) brush))
(defun brush (it) it)
(defun rod-colour-of (it) (rod-colour it))
`;

let lisp: TestImage;
let file: string;

beforeAll(async () => {
  lisp = await openTestImage();
  file = path.join(lisp.directory, 'stable.lisp');
  await writeFile(file, STABLE);
  await lisp.value(`(load (compile-file "${file}"))`);
}, 120_000);

afterAll(() => lisp.close());

const asked = (symbol: string) => ({ context: 'test', package: 'stable', symbol });

/** Returns the kind, name and first line of the reported text of each definition. */
async function found(symbol: string): Promise<string[]> {
  const { definitions } = await lisp.ask('find-definition', asked(symbol));
  return definitions.map(({ kind, name, source, end, why }) => {
    if (source === null) return `${kind} ${name}: ${why}`;
    expect(source.file).toBe(file);
    expect(STABLE.slice(0, source.offset!).split('\n')).toHaveLength(source.line!);
    return `${kind} ${name} ${source.line}: ${STABLE.slice(source.offset!, end!).split('\n')[0]}`;
  });
}

const lineOf = (text: string): number => STABLE.slice(0, STABLE.indexOf(text)).split('\n').length;

describe('functions that no form names', () => {
  it('Accessors of classes stand at their slots, whatever else has their name', async () => {
    expect((await found('pace')).toSorted()).toEqual([
      'generic-function PACE 3: (defgeneric pace (it))',
      `method PACE (CART) ${lineOf('(defclass cart')}: (pace :accessor pace)`,
      'method PACE (HORSE) 6: (pace :initarg :pace',
      // The accessors have created this separate generic function.
      expect.stringMatching(/^setf-generic-function \(SETF PACE\) \d+: \(pace :/),
      `setf-method (SETF PACE) (T CART) ${lineOf('(defclass cart')}: (pace :accessor pace)`,
      'setf-method (SETF PACE) (T HORSE) 6: (pace :initarg :pace',
    ]);
    expect(await found('set-age')).toEqual([
      'generic-function SET-AGE 8: (age :reader age :writer set-age)',
      'method SET-AGE (T HORSE) 8: (age :reader age :writer set-age)',
    ]);
    expect((await found('rider')).toSorted()).toEqual([
      'generic-function RIDER 9: (rider',
      'method RIDER (HORSE) 9: (rider',
      expect.stringMatching(/^setf-generic-function \(SETF RIDER\) (9: \(rider|12: \(defmethod)/),
      'setf-method (SETF RIDER) (T HORSE) 9: (rider',
      'setf-method (SETF RIDER) :BEFORE (T HORSE) 12: (defmethod (setf rider) :before (value (it horse)) value)',
    ]);
  });

  it('Functions of structures stand at the slot or option that made them', async () => {
    const [size, colour] = [lineOf('(size 0'), lineOf('colour)')];
    expect(await found('rod-size')).toEqual([
      `function ROD-SIZE ${size}: (size 0 :type fixnum)`,
      `setf-function (SETF ROD-SIZE) ${size}: (size 0 :type fixnum)`,
    ]);
    expect(await found('rod-colour')).toEqual([
      `function ROD-COLOUR ${colour}: colour`,
      `setf-function (SETF ROD-COLOUR) ${colour}: colour`,
    ]);
    expect(await found('rod?')).toEqual([`function ROD? ${lineOf('(:predicate')}: (:predicate rod?)`]);
    expect(await found('duplicate-rod')).toEqual([
      `function DUPLICATE-ROD ${lineOf('(:copier')}: (:copier duplicate-rod)`,
    ]);
    expect(await found('build-rod')).toEqual([
      `function BUILD-ROD ${lineOf('(:constructor build')}: (:constructor build-rod)`,
    ]);
    expect(await found('rod-of')).toEqual([
      `function ROD-OF ${lineOf('(:constructor rod-of')}: (:constructor rod-of (size))`,
    ]);
    expect(await found('make-staff')).toEqual([
      `function MAKE-STAFF ${lineOf('(defstruct (staff')}: (defstruct (staff (:include stick))`,
    ]);
    expect((await found('staff-grip'))[0]).toBe(`function STAFF-GRIP ${lineOf('grip)')}: grip`);
    expect((await found('staff-size'))[0]).toBe(
      `function STAFF-SIZE ${lineOf('(defstruct (staff')}: (defstruct (staff (:include stick))`,
    );
  });

  it('Readers of conditions stand at their slots', async () => {
    expect(await found('bolted-why')).toEqual([
      `generic-function BOLTED-WHY ${lineOf('((why')}: (why :initarg :why`,
      `method BOLTED-WHY (BOLTED) ${lineOf('((why')}: (why :initarg :why`,
    ]);
    expect((await found('bolted-when')).at(-1)).toBe(
      `setf-method (SETF BOLTED-WHEN) (T BOLTED) ${lineOf('(when :acc')}: (when :accessor bolted-when)`,
    );
  });

  it('Functions that a macro makes stand at its call', async () => {
    expect(await found('horse-tamed-p')).toEqual([`function HORSE-TAMED-P ${lineOf('(define horse')}: (define horse)`]);
    expect(await found('cart-tamed-p')).toEqual([`function CART-TAMED-P ${lineOf('(define\n')}: (define`]);
    expect((await found('barn-door'))[1]).toBe(
      `method BARN-DOOR (BARN) ${lineOf('(define-simple barn')}: (define-simple barn`,
    );
  });

  it('Functions come with what DECLAIM said of them', async () => {
    expect(await found('brush')).toEqual([
      `function BRUSH ${lineOf('(defun brush')}: (defun brush (it) it)`,
      `declaration BRUSH ${lineOf('(declaim')}: (declaim (ftype (function (t) t) brush))`,
    ]);
  });

  it('Functions that no form names have the same source location wherever it is told', async () => {
    const place = { file, line: lineOf('(size 0') };
    await expect(lisp.ask('describe-symbol', asked('rod-size'))).resolves.toMatchObject({
      meanings: [
        { kind: 'function', source: place },
        { kind: 'setf function', source: place },
      ],
    });
    await expect(lisp.ask('describe-symbol', asked('bolted-why'))).resolves.toMatchObject({
      meanings: [{ source: { file, line: lineOf('((why') } }],
    });
    const { genericFunction } = await lisp.ask('generic-function', { ...asked('rider'), setf: false });
    expect(genericFunction).toMatchObject({ source: { file, line: 9 }, methods: [{ source: { file, line: 9 } }] });
    const described = await lisp.ask('class', asked('horse'));
    expect(described.class?.methods.filter(({ name }) => name.startsWith('SET-AGE'))).toMatchObject([
      { source: { file, line: 8 } },
    ]);
    const { definitions } = await lisp.ask('list-definitions', {
      context: 'test',
      package: 'stable',
      groups: [['function', 'generic-function']],
      start: 0,
      count: 200,
    });
    expect(definitions.find(({ name }) => name === 'ROD-COLOUR')?.source).toMatchObject({ line: lineOf('colour)') });
    expect(definitions.find(({ name }) => name === 'HORSE-TAMED-P')?.source).toMatchObject({
      line: lineOf('(define horse'),
    });
  });

  it('Functions that no form names are listed among what specializes on their class, marked as what they are', async () => {
    const { references } = await lisp.ask('cross-references', { ...asked('cart'), relation: 'specializes', limit: 50 });
    expect(references.map(({ kind, name, source }) => `${kind} ${name} ${source?.line}`).toSorted()).toEqual(
      [
        'reader-method AGE (CART)',
        'reader-method PACE (CART)',
        'writer-method (SETF AGE) (T CART)',
        'writer-method (SETF PACE) (T CART)',
      ].map((each) => `${each} ${lineOf('(defclass cart')}`),
    );
  });

  it('Functions that no form names are found by their class in a file that was changed since it was loaded', async () => {
    const other = path.join(lisp.directory, 'changed.lisp');
    const text = `(defclass moved () ((dx :accessor moved-dx)
  (dy :reader moved-dy)))
(defstruct place-moved
  to)
(defun uses (it) (list (moved-dx it) (place-moved-to it)))
`;
    await writeFile(other, text);
    await utimes(other, 1_600_000_000, 1_600_000_000);
    await lisp.value(`(load (compile-file "${other}"))`);
    await writeFile(other, `(defun early (it) (list (moved-dy it) (place-moved-to it)))\n\n${text}`);
    const lines = async (symbol: string) =>
      (await lisp.ask('find-definition', { ...asked(symbol), package: null })).definitions.map(
        ({ source }) => source?.line,
      );
    expect(await lines('moved-dy')).toEqual([4, 4]);
    expect(await lines('place-moved-to')).toEqual([6, 6]);
  });

  it('Functions that no form names stand at their slots in what was evaluated from a file too', async () => {
    const other = path.join(lisp.directory, 'evaluated.lisp');
    const text =
      '(defun other () 1)\n(defstruct crate\n  lid)\n(defclass sack ()\n  ((string :accessor sack-string)))\n';
    await writeFile(other, text);
    for (const start of ['(defstruct', '(defclass']) {
      const offset = text.indexOf(start);
      const line = text.slice(0, offset).split('\n').length;
      const code = start === '(defstruct' ? text.slice(offset, text.indexOf('(defclass')) : text.slice(offset);
      await lisp.evaluate(code, { source: { file: other, offset, line }, evaluation: `crate-${offset}` });
    }
    const lines = async (symbol: string) =>
      (await lisp.ask('find-definition', { ...asked(symbol), package: null })).definitions.map(
        ({ source }) => source?.line,
      );
    expect((await lines('crate-lid'))[0]).toBe(3);
    expect((await lines('sack-string')).at(-1)).toBe(5);
  });
});
