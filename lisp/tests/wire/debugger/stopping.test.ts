/** Stopping code that did not fail: a request, breakpoints and steps. */
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
    expect(record).toMatchObject({ kind: 'interrupt', message: 'The evaluation was interrupted where it was.' });
    await test.value('(setf *go* 7)', { context: 'other' });
    await restart(test, record, 'CONTINUE');
    expect((await reply).values[0]!.text).toBe('7');
    await test.next('debugger-left');
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
      await expect(test.ask('set-breakpoint', { function: name, set: true })).rejects.toThrow('the debugger needs it');
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
    expect(await test.ask('eval-in-frame', { debugger: record.id, frame, code: '(throw :out 5)' })).toEqual({
      left: true,
      result: null,
    });
    expect((await reply).values[0]!.text).toBe('5');
  });
});
