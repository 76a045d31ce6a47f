/** The debugger: its record, restarts, levels and threads, and how it is left. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { abort, evaluation, openDebuggers, restart, stopped } from './debugger.fixture.ts';

let test: TestImage;

beforeEach(async () => {
  test = await openTestImage();
}, 120_000);

afterEach(() => test.close());

describe('debugger', () => {
  it("The debugger tells condition, restarts and the frames of the user's code [D6]", async () => {
    await test.value('(defun inner (n) (1+ (/ n 0))) (defun outer (n) (let ((m (* 2 n))) (inner m) m))');
    const { reply, debugger: record } = await stopped(test, '(outer 21)');
    expect(record).toMatchObject({
      evaluation,
      actor: 'person',
      kind: 'error',
      level: 1,
      type: 'DIVISION-BY-ZERO',
      message: expect.stringContaining('arithmetic error DIVISION-BY-ZERO signalled'),
      restarts: [
        { index: 0, name: 'RETRY', report: 'Evaluate the form again, so that its frames keep their locals.' },
        { index: 1, name: 'ABORT', report: 'Abort the evaluation.', parameters: [] },
      ],
    });
    expect(record.frames.filter(({ internal }) => !internal).map(({ call }) => call)).toEqual([
      '(INNER 42)',
      '(OUTER 21)',
      '(EVAL (OUTER 21))',
    ]);
    await abort(test, record);
    expect(await reply).toMatchObject({
      status: 'error',
      condition: { type: 'ABORT', message: expect.stringMatching(/^Aborted at DIVISION-BY-ZERO: /) },
    });
  });

  it('An abort names the type of the condition as it is written in the package of the code', async () => {
    await test.value(
      '(defpackage :shop (:use :cl)) (in-package :shop) (define-condition sold-out (error) () (:report "none"))',
    );
    const messageIn = async (packageName: string | null) => {
      const reply = test.evaluate("(error 'shop::sold-out)", {
        onError: 'debug',
        evaluation: 'sold',
        context: 'buyer',
        package: packageName,
      });
      await abort(test, (await test.next('debugger-entered')).debugger);
      return (await reply).condition!.message;
    };
    expect(await messageIn('SHOP')).toBe('Aborted at SOLD-OUT: none');
    expect(await messageIn(null)).toBe('Aborted at SHOP::SOLD-OUT: none');
    await test.value('(in-package :shop)', { context: 'buyer' });
    expect(await messageIn(null)).toBe('Aborted at SOLD-OUT: none');
  });

  it('An ABORT of the code itself is told as such, also after one of its own restarts ABORT was chosen [D6]', async () => {
    const { reply, debugger: record } = await stopped(
      test,
      '(progn (with-simple-restart (abort "Mine.") (error "one")) (abort))',
    );
    await restart(test, record, 'ABORT');
    expect(await reply).toMatchObject({ condition: { type: 'ABORT', message: 'The code invoked the ABORT restart.' } });
    await test.next('debugger-left');
  });

  it('The debugger lets others evaluate meanwhile [D6]', async () => {
    const { debugger: record } = await stopped(test, '(error "waiting")');
    expect(await test.value('(+ 1 2)', { context: 'other' })).toBe('3');
    expect(await openDebuggers(test)).toEqual([record.id]);
    await abort(test, record);
    expect(await openDebuggers(test)).toEqual([]);
  });

  it('The debugger takes a restart with an argument, and the evaluation goes on [D6]', async () => {
    const { reply, debugger: record } = await stopped(
      test,
      '(list (restart-case (error "which?") (use-value (v) v)) :end)',
    );
    expect(record.restarts[0]).toMatchObject({ name: 'USE-VALUE', parameters: [expect.any(String)] });
    expect(await restart(test, record, 'USE-VALUE', ['(* 6 7)'])).toMatchObject({ left: true, result: null });
    expect((await reply).values[0]!.text).toBe('(42 :END)');
    await test.next('debugger-left');
  });

  it('The debugger asks the person for what a restart needs [D6]', async () => {
    const { reply, debugger: record } = await stopped(test, '(list some-unbound-variable)');
    const taken = restart(test, record, 'USE-VALUE');
    const { question } = await test.next('question-asked');
    await test.ask('answer-question', { debugger: record.id, question: question.id, text: '(1+ 4)', cancel: false });
    await taken;
    expect((await reply).values[0]!.text).toBe('(5)');
    await test.next('debugger-left');
  });

  it('The debugger opens a level deeper for an error in what is evaluated in a frame, and comes back [D6]', async () => {
    const { debugger: record } = await stopped(test, '(error "first")');
    const deeper = test.ask('eval-in-frame', { debugger: record.id, frame: 0, code: '(error "second")' });
    const { debugger: second } = await test.next('debugger-entered');
    expect(second).toMatchObject({ level: 2, message: 'second' });
    expect(second.restarts.map(({ report }) => report)).toEqual([
      'Return to level 1 of the debugger.',
      'Evaluate the form again, so that its frames keep their locals.',
      'Abort the evaluation.',
    ]);
    await abort(test, second);
    expect(await deeper).toMatchObject({ left: false, result: { status: 'error', condition: { type: 'ABORT' } } });
    await abort(test, record);
  });

  it('A form is evaluated also in a frame that tells nothing of its variables [D6]', async () => {
    const { debugger: record } = await stopped(test, '(list (never-defined-at-all 1))');
    expect(record.frames[0]!.call).toContain('undefined function');
    const evaluated = await test.ask('eval-in-frame', { debugger: record.id, frame: 0, code: '(+ 1 2)' });
    expect(evaluated).toMatchObject({ left: false, result: { status: 'ok', values: [{ text: '3' }] } });
    await abort(test, record);
  });

  it('An interrupt ends what runs in a frame, not the debugger [D6]', async () => {
    const { debugger: record } = await stopped(test, '(error "first")');
    const endless = test.ask('eval-in-frame', {
      debugger: record.id,
      frame: 0,
      code: '(progn (print :looping) (finish-output) (loop))',
    });
    await test.next('output');
    await test.ask('interrupt', { evaluation });
    expect(await endless).toMatchObject({ left: false, result: { status: 'interrupted' } });
    await abort(test, record);
  });

  it('The debugger debugs errors in threads that the code made [D6]', async () => {
    const { reply, debugger: record } = await stopped(
      test,
      '(sb-thread:join-thread (sb-thread:make-thread (lambda () (list :thread (restart-case (error "in thread") (use-value (v) v)))) :name "mine"))',
    );
    expect(record).toMatchObject({ thread: 'mine', message: 'in thread' });
    await restart(test, record, 'USE-VALUE', [':mended']);
    expect((await reply).values[0]!.text).toBe('(:THREAD :MENDED)');
    await test.next('debugger-left');
  });

  it('The debugger is left when the evaluation is interrupted [D6]', async () => {
    const { reply, debugger: record } = await stopped(test, '(error "left")');
    await test.ask('interrupt', { evaluation });
    expect(await reply).toMatchObject({ status: 'interrupted' });
    await test.next('debugger-left');
    await expect(test.ask('debugger', { debugger: record.id })).rejects.toThrow('This debugger is no longer open.');
  });

  it('The debugger is left when the evaluation is interrupted while it still makes room for others [D6]', async () => {
    await test.value(
      `(sb-int:encapsulate 'sb-thread:make-thread :slow (lambda (make &rest keys) (prog1 (apply make keys) (sleep 0.2))))`,
    );
    const { reply } = await stopped(test, '(error "left")');
    await test.ask('interrupt', { evaluation });
    expect(await reply).toMatchObject({ status: 'interrupted' });
  });

  it('The debugger serves what is asked of an outer debugger while a deeper one is open [D6]', async () => {
    const { reply, debugger: record } = await stopped(test, '(let ((a (random 1))) (error "first ~A" a))');
    const deeper = test.ask('eval-in-frame', { debugger: record.id, frame: 0, code: '(error "second")' });
    await test.next('debugger-entered');
    expect(await test.ask('debugger', { debugger: record.id })).toMatchObject({ level: 1, message: 'first 0' });
    expect((await test.ask('frame-locals', { debugger: record.id, frame: 0 })).locals).toBeInstanceOf(Array);
    await restart(test, record, 'ABORT');
    expect(await deeper).toMatchObject({ left: true, result: null });
    expect(await reply).toMatchObject({ status: 'error', condition: { type: 'ABORT' } });
    expect(await openDebuggers(test)).toEqual([]);
  });

  it('An interrupt leaves a debugger in a thread of the code alone [D6]', async () => {
    const { reply, debugger: record } = await stopped(
      test,
      '(sb-thread:join-thread (sb-thread:make-thread (lambda () (restart-case (error "x") (use-value (v) v))) :name "mine"))',
    );
    const inside = test.ask('eval-in-frame', {
      debugger: record.id,
      frame: 0,
      code: '(progn (defvar *go* nil) (print :in) (finish-output) (loop until *go*) :went)',
    });
    await test.next('output');
    await test.ask('interrupt', { evaluation });
    expect(await reply).toMatchObject({ status: 'interrupted' });
    await test.value('(setf *go* t)');
    expect(await inside).toMatchObject({ left: false, result: { values: [{ text: ':WENT' }] } });
  });
});
