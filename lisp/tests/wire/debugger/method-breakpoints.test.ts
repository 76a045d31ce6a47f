/** Breakpoints on methods: each method of a generic function has a separate breakpoint. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { abort, restart, stopped } from './debugger.fixture.ts';

let test: TestImage;

beforeEach(async () => {
  test = await openTestImage();
}, 120_000);

afterEach(() => test.close());

const SOURCE = [
  '(defpackage :zoo (:use :cl))',
  '(defgeneric zoo::feed (animal amount &key twice))',
  '(defmethod zoo::feed ((animal integer) (amount t) &key twice)\n  (list :number animal amount twice))',
  '(defmethod zoo::feed :around ((animal integer) (amount t) &key twice)\n  (declare (ignore twice))\n  (list :around (call-next-method)))',
  '(defmethod zoo::feed ((animal (eql :cat)) (amount t) &key twice)\n  (declare (ignore twice))\n  (list :cat amount))',
  '(defmethod zoo::feed ((animal string) (amount t) &key twice)\n  (declare (ignore twice))\n  7)',
];

async function define(): Promise<void> {
  for (const form of SOURCE) await test.value(form);
}

describe('breakpoints on methods', () => {
  it('A breakpoint on a method stops at that method alone, with its condition, in its frame and source [D6]', async () => {
    const around = '(METHOD ZOO::FEED :AROUND (ZOO::INTEGER ZOO::T))';
    const cat = '(METHOD ZOO::FEED ((EQL :CAT) ZOO::T))';
    const text = '(METHOD ZOO::FEED (STRING T))';
    const keep = {
      functions: [around, cat, text],
      conditions: [],
      when: { [cat]: '(and (eq animal :cat) (> amount 2))' },
    };
    // The breakpoints wait for their methods to be defined. Setting the breakpoints interns no symbols.
    expect((await test.ask('keep-breakpoints', keep)).functions.map(({ name }) => name)).toEqual([null, null, null]);
    expect(await test.value('(find-package "ZOO")')).toBe('NIL');
    await define();
    expect((await test.ask('keep-breakpoints', keep)).functions.map(({ name }) => name)).toEqual([
      '(METHOD ZOO::FEED :AROUND (INTEGER T))',
      '(METHOD ZOO::FEED ((EQL :CAT) T))',
      '(METHOD ZOO::FEED (STRING T))',
    ]);

    const first = await stopped(test, '(list (zoo::feed 1 2 :twice 3))');
    expect(first.debugger.message).toBe(
      'Breakpoint: METHOD ZOO::FEED :AROUND (INTEGER T) is called with 1 2 :TWICE 3.',
    );
    const frame = first.debugger.frames.find(({ internal }) => !internal)!;
    expect(frame.call).toBe('((:METHOD ZOO::FEED :AROUND (INTEGER T)) 1 2 :TWICE 3)');
    const { running } = frame.source!;
    expect(running!.text.slice(running!.start, running!.end)).toBe(SOURCE[3]!.slice(0, SOURCE[3]!.indexOf('\n')));
    const { locals } = await test.ask('frame-locals', { debugger: first.debugger.id, frame: frame.index });
    expect(locals.map(({ name, value }) => `${name} ${value?.text}`).toSorted()).toEqual([
      'AMOUNT 2',
      'ANIMAL 1',
      'TWICE 3',
    ]);
    await restart(test, first.debugger, 'CONTINUE');
    expect((await first.reply).values[0]!.text).toBe('((:AROUND (:NUMBER 1 2 3)))');
    await test.next('debugger-left');

    expect((await test.evaluate('(list (zoo::feed :cat 1))', { onError: 'debug' })).values[0]!.text).toBe('((:CAT 1))');
    const second = await stopped(test, '(list (zoo::feed :cat 3))');
    expect(second.debugger.message).toBe('Breakpoint: METHOD ZOO::FEED ((EQL :CAT) T) is called with :CAT 3.');
    await abort(test, second.debugger);

    // A breakpoint also stops a method with a constant value, although SBCL would not call this method without the breakpoint. Its frame
    // can return a value without the call.
    const third = await stopped(test, '(list (zoo::feed "x" 3))');
    const at = third.debugger.frames.find(({ internal }) => !internal)!.index;
    await test.ask('return-from-frame', { debugger: third.debugger.id, frame: at, code: 'amount' });
    expect((await third.reply).values[0]!.text).toBe('(3)');
    await test.next('debugger-left');

    await test.ask('keep-breakpoints', { functions: [], conditions: [] });
    const free = await test.evaluate('(list (zoo::feed 1 2) (zoo::feed :cat 3) (zoo::feed "x" 3))', {
      onError: 'debug',
    });
    expect(free.values[0]!.text).toBe('((:AROUND (:NUMBER 1 2 NIL)) (:CAT 3) 7)');
  });

  it('A method that is defined again, and one of a SETF function, keep their breakpoints; steps lead into them [D6]', async () => {
    await test.value('(defgeneric (setf rate) (new object))');
    await test.value('(defmethod (setf rate) (new (object integer))\n  (+ new object))');
    const wanted = '(METHOD (SETF RATE) (T INTEGER))';
    expect((await test.ask('set-breakpoint', { function: wanted, set: true })).functions).toEqual([
      { wanted, name: wanted },
    ]);
    const first = await stopped(test, '(list (setf (rate 4) 3))');
    expect(first.debugger.message).toBe('Breakpoint: METHOD (SETF RATE) (T INTEGER) is called with 3 4.');
    await abort(test, first.debugger);
    await test.value('(defmethod (setf rate) (new (object integer))\n  (print (call-next-method))\n  (* new object))');
    await test.value('(defmethod (setf rate) (new (object t))\n  :next)');
    const { reply, debugger: again } = await stopped(test, '(list (setf (rate 4) 3))');
    expect(again.message).toBe('Breakpoint: METHOD (SETF RATE) (T INTEGER) is called with 3 4.');
    await test.ask('step', { debugger: again.id, kind: 'into' });
    await test.next('debugger-left');
    const { debugger: inside } = await test.next('debugger-entered');
    // Newer versions of SBCL show a separate function instead of this name.
    expect(inside.step!.form).toMatch(/^\(PRINT \((?:CALL-NEXT-METHOD|SB-PCL::CALL-NEXT-METHOD-0)\)\)$/);
    await restart(test, inside, 'STEP-CONTINUE');
    expect((await reply).values[0]!.text).toBe('(12)');
    await test.next('debugger-left');
    // The version of the method that was compiled for stepping no longer exists, but the breakpoint is still set.
    const last = await stopped(test, '(list (setf (rate 4) 3))');
    await restart(test, last.debugger, 'CONTINUE');
    expect((await last.reply).values[0]!.text).toBe('(12)');
  });

  it('A method on a function of Lisp takes one where it is for a class or an object of the user, and printing in the debugger does not enter it [D6]', async () => {
    await test.value('(defclass crate () ((side :initarg :side :accessor side)))');
    await test.value('(defun new-crate (side) (make-instance (quote crate) :side side))');
    // Calls the methods before the breakpoints are set, so that SBCL has already combined them.
    await test.value(
      '(defmethod initialize-instance :after ((crate crate) &key)\n  (setf (side crate) (* 2 (side crate))))',
    );
    await test.value('(defmethod print-object ((crate crate) stream)\n  (format stream "<~D>" (side crate)))');
    await test.value(
      "(defmethod make-instance ((class (eql 'crates)) &key)\n  (list (new-crate 1) (princ-to-string (new-crate 2))))",
    );
    expect(await test.value("(list (new-crate 3) (make-instance 'crates))")).toBe('(<6> (<2> "<4>"))');
    const ofUser = [
      '(METHOD INITIALIZE-INSTANCE :AFTER (CRATE))',
      '(METHOD PRINT-OBJECT (CRATE T))',
      '(METHOD MAKE-INSTANCE ((EQL CRATES)))',
    ];
    for (const wanted of ofUser) await test.ask('set-breakpoint', { function: wanted, set: true });
    const initialized = await stopped(test, '(list (new-crate 3))');
    expect(initialized.debugger.message).toMatch(/^Breakpoint: METHOD INITIALIZE-INSTANCE :AFTER \(CRATE\) is called/);
    // Printing frames and the value does not stop at the breakpoint on the printing method.
    await restart(test, initialized.debugger, 'CONTINUE');
    expect((await initialized.reply).values[0]!.text).toBe('(<6>)');
    await test.next('debugger-left');
    await test.ask('set-breakpoint', { function: ofUser[0]!, set: false });
    const printed = await stopped(test, '(princ-to-string (new-crate 5))');
    expect(printed.debugger.message).toMatch(/^Breakpoint: METHOD PRINT-OBJECT \(CRATE T\) is called with <10> /);
    await restart(test, printed.debugger, 'CONTINUE');
    expect((await printed.reply).values[0]!.text).toBe('"<10>"');
    await test.next('debugger-left');
    const made = await stopped(test, "(list (make-instance 'crates))");
    expect(made.debugger.message).toMatch(/^Breakpoint: METHOD MAKE-INSTANCE \(\(EQL CRATES\)\) is called/);
    await abort(test, made.debugger);
    // Methods that the debugger itself may run cannot have a breakpoint.
    for (const lisps of ['(METHOD PRINT-OBJECT (INTEGER T))', '(METHOD PRINT-OBJECT ((EQL :TEST) T))'])
      await expect(test.ask('set-breakpoint', { function: lisps, set: true })).rejects.toThrow(
        'PRINT-OBJECT cannot have a breakpoint, because Lisp',
      );
  });
});
