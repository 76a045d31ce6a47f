import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DebuggerRecord } from '#contract/debugger.ts';
import { openTestImage, type TestImage } from './image.fixture.ts';
import type { EvaluationReply } from './messages.ts';

let test: TestImage;

const evaluation = 'debugged';

beforeEach(async () => {
  test = await openTestImage();
}, 120_000);

afterEach(() => test.close());

/** Evaluates in the debugger; resolves when the code waits there. */
async function stopped(code: string): Promise<{ reply: Promise<EvaluationReply>; debugger: DebuggerRecord }> {
  const reply = test.evaluate(code, { onError: 'debug', evaluation, interactive: true });
  reply.catch(() => {});
  const { debugger: record } = await test.next('debugger-entered');
  return { reply, debugger: record };
}

function restart({ id, restarts }: DebuggerRecord, name: string, args: string[] = []) {
  const { index } = restarts.find((each) => each.name === name)!;
  return test.ask('invoke-restart', { debugger: id, restart: index, arguments: args });
}

function frameOf({ frames }: DebuggerRecord, name: string): number {
  return frames.find(({ call }) => call.startsWith(`(${name}`))!.index;
}

async function abort(record: DebuggerRecord): Promise<void> {
  await restart(record, 'ABORT');
  await test.next('debugger-left');
}

describe('D6 the debugger', () => {
  it('tells condition, restarts and the frames of the user’s code', async () => {
    await test.value('(defun inner (n) (/ n 0)) (defun outer (n) (let ((m (* 2 n))) (inner m) m))');
    const { reply, debugger: record } = await stopped('(outer 21)');
    expect(record).toMatchObject({
      evaluation,
      actor: 'person',
      kind: 'error',
      level: 1,
      type: 'DIVISION-BY-ZERO',
      message: expect.stringContaining('arithmetic error DIVISION-BY-ZERO signalled'),
      restarts: [{ index: 0, name: 'ABORT', report: 'Abort the evaluation.', parameters: [] }],
    });
    expect(record.frames.filter(({ internal }) => !internal).map(({ call }) => call)).toEqual([
      '(INNER 42)',
      '(OUTER 21)',
      '(EVAL (OUTER 21))',
    ]);
    await abort(record);
    expect(await reply).toMatchObject({ status: 'error', condition: { type: 'ABORT' } });
  });

  it('lets others evaluate meanwhile', async () => {
    const { debugger: record } = await stopped('(error "waiting")');
    expect(await test.value('(+ 1 2)', { context: 'other' })).toBe('3');
    expect((await test.ask('debuggers', {})).debuggers).toEqual([record.id]);
    await abort(record);
    expect((await test.ask('debuggers', {})).debuggers).toEqual([]);
  });

  it('takes a restart with an argument, and the evaluation goes on', async () => {
    const { reply, debugger: record } = await stopped('(list (restart-case (error "which?") (use-value (v) v)) :end)');
    expect(record.restarts[0]).toMatchObject({ name: 'USE-VALUE', parameters: [expect.any(String)] });
    expect(await restart(record, 'USE-VALUE', ['(* 6 7)'])).toEqual({ left: true, result: null });
    expect((await reply).values[0]!.text).toBe('(42 :END)');
    await test.next('debugger-left');
  });

  it('asks the person for what a restart needs', async () => {
    const { reply, debugger: record } = await stopped('(list some-unbound-variable)');
    const taken = restart(record, 'USE-VALUE');
    await test.next('input-requested');
    await test.ask('input', { evaluation, text: '(1+ 4)' });
    await taken;
    expect((await reply).values[0]!.text).toBe('(5)');
    await test.next('debugger-left');
  });

  it('shows the locals of a frame, with handles that end with the debugger', async () => {
    await test.value('(defun locals (a) (let* ((b (list a a)) (c "text")) (when a (error "~A ~A" b c)) (list b c)))');
    const { debugger: record } = await stopped('(locals 7)');
    const { locals } = await test.ask('frame-locals', { debugger: record.id, frame: frameOf(record, 'LOCALS') });
    expect(locals.map(({ name, value }) => [name, value?.text])).toEqual([
      ['A', '7'],
      ['B', '(7 7)'],
      ['C', '"text"'],
    ]);
    expect(locals.every(({ value }) => value!.handle !== null)).toBe(true);
    await abort(record);
  });

  it('evaluates in a frame, with its variables', async () => {
    await test.value('(defun in-frame (a) (let ((b (* a 2))) (when (plusp a) (error "here")) b))');
    const { debugger: record } = await stopped('(in-frame 5)');
    const frame = frameOf(record, 'IN-FRAME');
    expect(await test.ask('eval-in-frame', { debugger: record.id, frame, code: '(list a b (+ a b))' })).toMatchObject({
      left: false,
      result: { status: 'ok', values: [{ text: '(5 10 15)' }] },
    });
    await abort(record);
  });

  it('opens a level deeper for an error in what is evaluated in a frame, and comes back', async () => {
    const { debugger: record } = await stopped('(error "first")');
    const deeper = test.ask('eval-in-frame', { debugger: record.id, frame: 0, code: '(error "second")' });
    const { debugger: second } = await test.next('debugger-entered');
    expect(second).toMatchObject({ level: 2, message: 'second' });
    expect(second.restarts.map(({ report }) => report)).toEqual([
      'Return to level 1 of the debugger.',
      'Abort the evaluation.',
    ]);
    await abort(second);
    expect(await deeper).toMatchObject({ left: false, result: { status: 'error', condition: { type: 'ABORT' } } });
    await abort(record);
  });

  it('an interrupt ends what runs in a frame, not the debugger', async () => {
    const { debugger: record } = await stopped('(error "first")');
    const endless = test.ask('eval-in-frame', {
      debugger: record.id,
      frame: 0,
      code: '(progn (print :looping) (finish-output) (loop))',
    });
    await test.next('output');
    await test.ask('interrupt', { evaluation });
    expect(await endless).toMatchObject({ left: false, result: { status: 'interrupted' } });
    await abort(record);
  });

  it('returns a value from a frame', async () => {
    await test.value('(defun returns (a) (error "no ~A" a)) (defun caller () (list :got (returns 1)))');
    const { reply, debugger: record } = await stopped('(caller)');
    const frame = frameOf(record, 'RETURNS');
    expect(await test.ask('return-from-frame', { debugger: record.id, frame, code: '(list a :instead)' })).toEqual({
      left: true,
      result: null,
    });
    expect((await reply).values[0]!.text).toBe('(:GOT (1 :INSTEAD))');
    await test.next('debugger-left');
  });

  it('calls a frame again after its function was mended', async () => {
    await test.value('(defun broken (a) (error "broken ~A" a))');
    const { reply, debugger: record } = await stopped('(list (broken 3))');
    await test.value('(defun broken (a) (* a a))', { context: 'other' });
    await test.ask('restart-frame', { debugger: record.id, frame: frameOf(record, 'BROKEN') });
    expect((await reply).values[0]!.text).toBe('(9)');
    await test.next('debugger-left');
  });

  it('shows where a frame stands: the evaluation or the file, and the form that runs', async () => {
    const source = { file: '/project/shop.lisp', offset: 100, line: 8 };
    await test.value('\n(defun placed (a)\n  (list 1 (error "in ~A" a)))', { source, evaluation: 'placing' });
    const { debugger: record } = await stopped('(placed 3)');
    expect(record.frames[frameOf(record, 'PLACED')]!.source).toMatchObject({
      file: '/project/shop.lisp',
      offset: 101,
      line: 9,
      evaluation: 'placing',
      form: '(ERROR "in ~A" A)',
      path: expect.any(Array),
    });
    await abort(record);
  });

  it('shows the machine code of a frame', async () => {
    const { debugger: record } = await stopped('(error "code")');
    const frame = record.frames.find(({ internal }) => !internal)!.index;
    const { text } = await test.ask('disassemble-frame', { debugger: record.id, frame });
    expect(text).toMatch(/disassembly for/);
    await abort(record);
  });

  it('stops a running evaluation where it is, and lets it go on', async () => {
    await test.value('(defvar *go* 0)');
    const reply = test.evaluate('(let ((n 0)) (print :in) (finish-output) (loop until (eql n 7) do (setf n *go*)) n)', {
      onError: 'debug',
      evaluation,
    });
    await test.next('output');
    expect(await test.ask('break-in', { evaluation })).toEqual({ found: true });
    const { debugger: record } = await test.next('debugger-entered');
    expect(record).toMatchObject({ kind: 'break', message: 'The evaluation was stopped where it was.' });
    await test.value('(setf *go* 7)', { context: 'other' });
    await restart(record, 'CONTINUE');
    expect((await reply).values[0]!.text).toBe('7');
    await test.next('debugger-left');
  });

  it('breaks on the entry of a function and on signalled conditions, only where a person debugs', async () => {
    await test.value('(defun entered (x) (* x 2)) (define-condition odd (condition) ())');
    expect(await test.ask('set-breakpoint', { function: 'entered', set: true })).toEqual({
      functions: ['ENTERED'],
      conditions: [],
    });
    expect(await test.value('(entered 4)')).toBe('8');
    const { reply, debugger: record } = await stopped('(entered 4)');
    expect(record.message).toBe('Breakpoint: ENTERED is called with 4.');
    await restart(record, 'CONTINUE');
    expect((await reply).values[0]!.text).toBe('8');
    await test.next('debugger-left');
    await test.ask('set-breakpoint', { function: 'entered', set: false });
    await test.ask('break-on-conditions', { types: ['odd'] });
    const signalled = await stopped('(progn (signal (quote odd)) :went-on)');
    expect(signalled.debugger.kind).toBe('break');
    await restart(signalled.debugger, 'CONTINUE');
    expect((await signalled.reply).values[0]!.text).toBe(':WENT-ON');
    await test.next('debugger-left');
    expect(await test.ask('break-on-conditions', { types: [] })).toEqual({ functions: [], conditions: [] });
  });

  it('steps into, over and out of forms', async () => {
    await test.value('(defun stepped (x) (let ((y (* x 2))) (+ y (inner-step y)))) (defun inner-step (z) (1+ z))');
    await test.ask('set-breakpoint', { function: 'stepped', set: true });
    const { reply, debugger: first } = await stopped('(stepped 3)');
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
    await restart(at, 'STEP-CONTINUE');
    expect((await reply).values[0]!.text).toBe('13');
    await test.next('debugger-left');
    await test.ask('set-breakpoint', { function: 'stepped', set: false });
  });

  it('holds an agent’s evaluation after its answer, until the agent evaluates again', async () => {
    await test.value('(defvar *unwound* nil)');
    const reply = await test.evaluate('(unwind-protect (error "held") (setf *unwound* t))', {
      onError: 'hold',
      evaluation,
      actor: 'client:a',
      context: 'a',
    });
    expect(reply).toMatchObject({ status: 'error', condition: { message: 'held' }, debugger: expect.any(String) });
    const { debugger: record } = await test.next('debugger-entered');
    expect(record).toMatchObject({ id: reply.debugger, held: true, actor: 'client:a' });
    expect(await test.value('*unwound*')).toBe('NIL');
    await test.value('1', { context: 'a', actor: 'client:a' });
    await test.next('debugger-left');
    expect(await test.next('evaluation-continued')).toMatchObject({ evaluation, status: 'interrupted' });
    expect(await test.value('*unwound*')).toBe('T');
  });

  it('tells how a held evaluation went on after a restart', async () => {
    await test.evaluate('(list (restart-case (error "held") (use-value (v) v)))', { onError: 'hold', evaluation });
    const { debugger: record } = await test.next('debugger-entered');
    await restart(record, 'USE-VALUE', ['8']);
    expect(await test.next('evaluation-continued')).toMatchObject({
      evaluation,
      status: 'ok',
      values: [{ text: '(8)' }],
    });
    await test.next('debugger-left');
  });

  it('debugs errors in threads that the code made', async () => {
    const { reply, debugger: record } = await stopped(
      '(sb-thread:join-thread (sb-thread:make-thread (lambda () (list :thread (restart-case (error "in thread") (use-value (v) v)))) :name "mine"))',
    );
    expect(record).toMatchObject({ thread: 'mine', message: 'in thread' });
    await restart(record, 'USE-VALUE', [':mended']);
    expect((await reply).values[0]!.text).toBe('(:THREAD :MENDED)');
    await test.next('debugger-left');
  });

  it('is left when the evaluation is interrupted', async () => {
    const { reply, debugger: record } = await stopped('(error "left")');
    await test.ask('interrupt', { evaluation });
    expect(await reply).toMatchObject({ status: 'interrupted' });
    await test.next('debugger-left');
    await expect(test.ask('debugger', { debugger: record.id })).rejects.toThrow('This debugger was left.');
  });

  it('is left when the evaluation is interrupted while it still makes room for others', async () => {
    await test.value(
      `(sb-int:encapsulate 'sb-thread:make-thread :slow (lambda (make &rest keys) (prog1 (apply make keys) (sleep 0.2))))`,
    );
    const { reply } = await stopped('(error "left")');
    await test.ask('interrupt', { evaluation });
    expect(await reply).toMatchObject({ status: 'interrupted' });
  });

  it('compiles one function of a file for debugging, and goes back', async () => {
    const file = `${test.directory}/fast.lisp`;
    await writeFile(
      file,
      `(defpackage :fast (:use :cl)) (in-package :fast)
(declaim (optimize (speed 3) (debug 0)))
(defun fast (a)
  "Documented."
  (declare (type list a))
  (let ((b (list a a))) (when (cdr a) (cerror "Go on." "in fast")) (length b)))`,
    );
    await test.value(`(load (compile-file "${file}"))`);
    const locals = async () => {
      const { debugger: record } = await stopped("(fast::fast '(1 2))");
      const reply = await test.ask('frame-locals', { debugger: record.id, frame: frameOf(record, 'FAST::FAST') });
      await abort(record);
      return reply.locals.filter(({ value }) => value !== null).map(({ name }) => name);
    };
    const before = await locals();
    const set = await test.run('debug-function', { function: 'fast::fast', set: true });
    expect(set).toMatchObject({ status: 'ok', result: { functions: ['FAST::FAST'] } });
    expect(await locals()).toEqual(['FAST::A', 'FAST::B']);
    expect((await test.run('debug-function', { function: 'fast::fast', set: false })).result).toEqual({
      functions: [],
    });
    expect(await locals()).toEqual(before);
    expect((await test.run('debug-function', { function: 'cl:car', set: true })).condition?.message).toMatch(
      /not known|lock|source/i,
    );
  });

  it('shows the running form at its exact place, in what was evaluated and in a file', async () => {
    const text = `(defun exact (a)
  "Doc 😀."
  (declare (type number a)) ; a comment (with parentheses)
  #+no-such-feature (ignored)
  (when (plusp a) (list 1 (error "at ~A" a))))`;
    const running = async (code: string, name: string) => {
      const { debugger: record } = await stopped(code);
      const { running: place } = record.frames[frameOf(record, name)]!.source!;
      await abort(record);
      return place && [place.text.slice(place.start, place.end), place.offset];
    };
    await test.value(text);
    expect(await running('(exact 1)', 'EXACT')).toEqual(['(error "at ~A" a)', 0]);
    const file = `${test.directory}/exact.lisp`;
    await writeFile(
      file,
      `;; 😀 first\n(in-package :cl-user)\n(declaim (optimize (debug 2)))\n${text.replace('exact', 'in-file')}`,
    );
    await test.value(`(load (compile-file "${file}"))`);
    expect(await running('(in-file 1)', 'IN-FILE')).toEqual(['(error "at ~A" a)', 65]);
  });

  it('serves what is asked of an outer debugger while a deeper one is open', async () => {
    const { reply, debugger: record } = await stopped('(let ((a (random 1))) (error "first ~A" a))');
    const deeper = test.ask('eval-in-frame', { debugger: record.id, frame: 0, code: '(error "second")' });
    await test.next('debugger-entered');
    expect(await test.ask('debugger', { debugger: record.id })).toMatchObject({ level: 1, message: 'first 0' });
    expect((await test.ask('frame-locals', { debugger: record.id, frame: 0 })).locals).toBeInstanceOf(Array);
    await restart(record, 'ABORT');
    expect(await deeper).toEqual({ left: true, result: null });
    expect(await reply).toMatchObject({ status: 'error', condition: { type: 'ABORT' } });
    expect((await test.ask('debuggers', {})).debuggers).toEqual([]);
  });

  it('refuses breakpoints on what it needs itself, and does not stop in what it prints', async () => {
    for (const name of [
      'cl:equal',
      'write-string',
      'print-object',
      'sb-kernel:%typep',
      'lisp-workbench/protocol::post',
    ])
      await expect(test.ask('set-breakpoint', { function: name, set: true })).rejects.toThrow('the debugger needs it');
    await test.value(
      '(defclass account () ()) (defun shown () "shown") (defmethod print-object ((a account) s) (write-string (shown) s))',
    );
    await test.ask('set-breakpoint', { function: 'shown', set: true });
    const reply = await test.evaluate("(make-instance 'account)", { onError: 'debug' });
    expect(reply.values[0]!.text).toBe('shown');
  });

  it('an interrupt leaves a debugger in a thread of the code alone', async () => {
    const { reply, debugger: record } = await stopped(
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

  it('stops an evaluation that would just report its errors, too', async () => {
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

  it('gives up what is held from all levels, also when its client goes', async () => {
    const hold = async (context: string) => {
      await test.evaluate('(error "held")', { onError: 'hold', evaluation: context, context });
      return (await test.next('debugger-entered')).debugger;
    };
    const outer = await hold('a');
    const inside = test.ask('eval-in-frame', {
      debugger: outer.id,
      frame: 0,
      code: '(restart-case (invoke-debugger (make-condition (quote simple-condition) :format-control "x")) (go-on () 1))',
    });
    await inside;
    await hold('b');
    await test.ask('forget-context', { context: 'a' });
    await test.ask('forget-context', { context: 'b' });
    await test.next('evaluation-continued');
    await test.next('evaluation-continued');
    expect((await test.ask('debuggers', {})).debuggers).toEqual([]);
    expect(await test.image.checkpoint()).toHaveProperty('pid');
  });
});
