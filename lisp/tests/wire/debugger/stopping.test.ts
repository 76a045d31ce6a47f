/** Stopping code that did not fail: on request, at breakpoints, and by steps. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { evaluation, restart, stopped } from './debugger.fixture.ts';

let test: TestImage;

beforeEach(async () => {
  test = await openTestImage();
}, 120_000);

afterEach(() => test.close());

describe('debugger', () => {
  it('The debugger stops a running evaluation where it is, and lets it go on [D6]', async () => {
    await test.value('(defvar *go* 0)');
    const reply = test.evaluate('(let ((n 0)) (print :in) (finish-output) (loop until (eql n 7) do (setf n *go*)) n)', {
      onError: 'debug',
      evaluation,
    });
    await test.next('output');
    expect(await test.ask('break-in', { evaluation })).toEqual({ found: true });
    const { debugger: record } = await test.next('debugger-entered');
    expect(record).toMatchObject({ kind: 'interrupt', message: 'The evaluation was interrupted.' });
    await test.value('(setf *go* 7)', { context: 'other' });
    await restart(test, record, 'CONTINUE');
    expect((await reply).values[0]!.text).toBe('7');
    await test.next('debugger-left');
  });

  it('Steps from interrupted code stop again where it was compiled for debugging, and are told as impossible elsewhere [D6]', async () => {
    await test.value(`(defun tick (n) (declare (optimize debug)) (sleep 0.001) (list n (random 5)))
(defun work (n) (declare (optimize debug)) (loop (tick n) (setf n (+ n 1))))
(defun plain () (declare (optimize (debug 1))) (list (work 1)))`);
    const said = test.evaluate('(progn (print :in) (finish-output) (plain))', { onError: 'debug', evaluation });
    await test.next('output');
    await test.ask('break-in', { evaluation });
    let { debugger: at } = await test.next('debugger-entered');
    expect(at).toMatchObject({ kind: 'interrupt', steps: { within: true } });
    const step = async (kind: 'into' | 'over' | 'out') => {
      await test.ask('step', { debugger: at.id, kind });
      await test.next('debugger-left');
      at = (await test.next('debugger-entered')).debugger;
      return at;
    };
    for (const kind of ['into', 'over', 'into'] as const) expect(await step(kind)).toMatchObject({ kind: 'step' });
    while (!at.step!.form.startsWith('(RANDOM')) await step('into');
    expect((await step('out')).step!.form).toMatch(/^\((\+ N 1|TICK N)\)/);
    // After another interrupt within TICK, stepping out stops in the function that called TICK.
    await restart(test, at, 'STEP-CONTINUE');
    await test.next('debugger-left');
    const interrupt = async () => {
      await test.ask('break-in', { evaluation });
      at = (await test.next('debugger-entered')).debugger;
    };
    await interrupt();
    while (!at.frames.some(({ call }) => call.startsWith('(TICK'))) {
      await restart(test, at, 'CONTINUE');
      await test.next('debugger-left');
      await interrupt();
    }
    expect(at).toMatchObject({ kind: 'interrupt', steps: { within: true, out: true } });
    expect(await step('out')).toMatchObject({
      kind: 'step',
      step: { form: expect.stringMatching(/^\((\+ N 1|TICK N)\)/) },
    });
    await test.ask('quit-debugger', { debugger: at.id });
    await said;
  });

  it.each([
    ['an interrupt', '(progn (print :in) (finish-output) (loop (sleep 0.001)))', true, false],
    ['an interrupt of a function', '(progn (print :in) (finish-output) (spinning))', true, false],
    ['a break', '(progn (print :in) (finish-output) (breaking))', false, false],
    ['a break in code for debugging', '(progn (print :in) (finish-output) (breaking-slowly))', false, true],
    [
      'the entry of a function whose source is not known',
      '(progn (print :in) (finish-output) (unknown 3))',
      false,
      false,
    ],
    ['the entry of a function', '(progn (print :in) (finish-output) (known 3))', false, true],
    ['the entry of a generic function', '(progn (print :in) (finish-output) (generic 3))', false, true],
  ])('The debugger tells at %s if steps can stop again [D6]', async (_what, code, interrupt, within) => {
    await test.value(`(declaim (optimize (debug 1)))
(defun spinning () (loop (sleep 0.001)))
(defun breaking () (break "here") (list (random 3)))
(defun breaking-slowly () (declare (optimize debug)) (break "here") (list (random 3)))
(defun known (x) (list x (random 3)))
(defgeneric generic (x) (:method ((x integer)) (list x (random 3))))
(funcall (compile nil '(lambda () (defun unknown (x) (list x (random 3))))))`);
    for (const name of ['known', 'unknown', 'generic']) await test.ask('set-breakpoint', { function: name, set: true });
    const said = test.evaluate(code, { onError: 'debug', evaluation });
    await test.next('output');
    if (interrupt) await test.ask('break-in', { evaluation });
    const { debugger: at } = await test.next('debugger-entered');
    expect(at.steps).toEqual({ within, out: false });
    // The reported state is correct: if it says that steps can stop again, a step does.
    let next: typeof at | null = null;
    if (within) {
      await test.ask('step', { debugger: at.id, kind: 'into' });
      await test.next('debugger-left');
      next = (await test.next('debugger-entered')).debugger;
    }
    expect(next && [next.step?.form, next.steps]).toEqual(within ? ['(RANDOM 3)', { within: true, out: true }] : null);
    await test.ask('quit-debugger', { debugger: (next ?? at).id });
    await said;
  });

  it('The debugger breaks on the entry of a function and on signalled conditions, only where a person debugs [D6]', async () => {
    await test.value('(defun entered (x) (* x 2)) (define-condition odd (condition) ())');
    expect(await test.ask('set-breakpoint', { function: 'entered', set: true })).toMatchObject({
      functions: [{ wanted: 'entered', name: 'ENTERED' }],
      conditions: [],
    });
    expect(await test.value('(entered 4)')).toBe('8');
    const { reply, debugger: record } = await stopped(test, '(entered 4)');
    expect(record.message).toBe('Breakpoint: ENTERED is called with 4.');
    await restart(test, record, 'CONTINUE');
    expect((await reply).values[0]!.text).toBe('8');
    await test.next('debugger-left');
    await test.ask('set-breakpoint', { function: 'entered', set: false });
    await test.ask('break-on-conditions', { types: ['odd'] });
    const signalled = await stopped(test, '(progn (signal (quote odd)) :went-on)');
    expect(signalled.debugger.kind).toBe('break');
    await restart(test, signalled.debugger, 'CONTINUE');
    expect((await signalled.reply).values[0]!.text).toBe(':WENT-ON');
    await test.next('debugger-left');
    expect(await test.ask('break-on-conditions', { types: [] })).toMatchObject({ functions: [], conditions: [] });
  });

  it('The debugger steps into, over and out of forms [D6]', async () => {
    await test.value('(defun stepped (x) (let ((y (* x 2))) (+ y (inner-step y)))) (defun inner-step (z) (1+ z))');
    await test.ask('set-breakpoint', { function: 'stepped', set: true });
    const { reply, debugger: first } = await stopped(test, '(stepped 3)');
    const forms: string[] = [];
    let at = first;
    const step = async (kind: 'into' | 'over' | 'out') => {
      await test.ask('step', { debugger: at.id, kind });
      await test.next('debugger-left');
      at = (await test.next('debugger-entered')).debugger;
      forms.push(at.step!.form);
    };
    await step('into');
    await step('into');
    await step('into');
    expect(forms).toEqual(['(* X 2)', '(INNER-STEP Y)', '(+ Z 1)']);
    await test.ask('step', { debugger: at.id, kind: 'out' });
    await test.next('debugger-left');
    at = (await test.next('debugger-entered')).debugger;
    expect(at.step!.form).toBe('(+ Y (INNER-STEP Y))');
    await restart(test, at, 'STEP-CONTINUE');
    expect((await reply).values[0]!.text).toBe('13');
    await test.next('debugger-left');
    await test.ask('set-breakpoint', { function: 'stepped', set: false });
  });

  it('The debugger refuses breakpoints on what it needs itself, and does not stop in what it prints [D6]', async () => {
    for (const name of ['cl:equal', 'write-string', 'print-object', 'sb-kernel:%typep'])
      await expect(test.ask('set-breakpoint', { function: name, set: true })).rejects.toThrow('the debugger need it');
    await test.value(
      '(defclass account () ()) (defun shown () "shown") (defmethod print-object ((a account) s) (write-string (shown) s))',
    );
    await test.ask('set-breakpoint', { function: 'shown', set: true });
    const reply = await test.evaluate("(make-instance 'account)", { onError: 'debug' });
    expect(reply.values[0]!.text).toBe('shown');
  });

  it('The debugger stops an evaluation that would just report its errors, too [D6]', async () => {
    const reply = test.evaluate('(catch :out (print :in) (finish-output) (loop (sleep 0.01)))', { evaluation });
    await test.next('output');
    await test.ask('break-in', { evaluation });
    const { debugger: record } = await test.next('debugger-entered');
    const frame = record.frames.find(({ call }) => call.startsWith('(EVAL'))!.index;
    expect(await test.ask('eval-in-frame', { debugger: record.id, frame, code: '(throw :out 5)' })).toMatchObject({
      left: true,
      result: null,
    });
    expect((await reply).values[0]!.text).toBe('5');
  });

  it('Quitting leaves the debugger of a cleanup form, too, and all levels of it', async () => {
    const { reply, debugger: first } = await stopped(
      test,
      '(unwind-protect (unwind-protect (error "first") (error "cleanup")) (error "outer cleanup"))',
    );
    await test.ask('quit-debugger', { debugger: first.id });
    for (const message of ['cleanup', 'outer cleanup']) {
      const { debugger: next } = await test.next('debugger-entered');
      expect(next.message).toBe(message);
      await test.ask('quit-debugger', { debugger: next.id });
    }
    expect(await reply).toMatchObject({ status: 'interrupted' });
    expect(await test.value('(+ 1 2)')).toBe('3');
  });
});
