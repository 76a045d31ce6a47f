/** An exhausted stack: its frames and restarts in the debugger, and the image afterwards. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { abort, evaluation, frameOf, restart, stopped } from './debugger.fixture.ts';

let test: TestImage;

beforeEach(async () => {
  test = await openTestImage();
  await test.value('(defun deep (n) (1+ (deep (1+ n))))');
}, 120_000);

afterEach(() => test.close());

describe('debugger on an exhausted stack', () => {
  it('An exhausted stack waits with its frames and restarts, thirty times in a row [E41, issue 11.3]', async () => {
    for (let time = 0; time < 30; time += 1) {
      const { reply, debugger: record } = await stopped(test, '(deep 1)');
      expect(record).toMatchObject({ kind: 'error', type: expect.stringContaining('CONTROL-STACK-EXHAUSTED') });
      expect(record.restarts.map(({ name }) => name)).toEqual(['RETRY', 'ABORT']);
      expect(record.frames[frameOf(record, 'DEEP')]!.call).toMatch(/^\(DEEP/);
      expect(record).toMatchObject({ moreFrames: true });
      expect(await test.value('(+ 1 2)', { context: 'other' })).toBe('3');
      await abort(test, record);
      expect(await reply).toMatchObject({ status: 'error', condition: { type: 'ABORT' } });
    }
    expect(await test.value('(loop for i below 10 collect i)')).toBe('(0 1 2 3 4 5 6 7 8 9)');
  });

  it('Frames of an exhausted stack are looked at and evaluated in, and RETRY exhausts it anew [issue 11.3]', async () => {
    await test.value('(defun deep (n) (declare (optimize debug)) (1+ (deep (1+ n))))');
    const { debugger: first } = await stopped(test, '(deep 1)');
    await restart(test, first, 'RETRY');
    await test.next('debugger-left');
    const { debugger: record } = await test.next('debugger-entered');
    expect(record.type).toMatch(/CONTROL-STACK-EXHAUSTED/);
    await expect(test.ask('further-frames', { debugger: record.id, from: record.frames.length })).rejects.toThrow(
      /^The stack is exhausted: only its innermost frames can be shown\.$/,
    );
    // Uses the next frame, because the innermost one may still be at its entry, where the parameter has no value yet.
    const frame = frameOf(record, 'DEEP') + 1;
    const { locals } = await test.ask('frame-locals', { debugger: record.id, frame });
    const depth = Number(locals.find(({ name }) => name === 'N')!.value!.text);
    expect(depth).toBeGreaterThan(1000);
    expect(record.frames[frame]!.restartable).toBe(false);
    const asked = { debugger: record.id, frame };
    expect(await test.ask('eval-in-frame', { ...asked, code: '(list (1+ n) :here)' })).toMatchObject({
      result: { status: 'ok', values: [{ text: `(${depth + 1} :HERE)` }] },
    });
    expect(await test.ask('eval-in-frame', { ...asked, code: '(error "no ~A" :more)' })).toMatchObject({
      left: false,
      result: { status: 'error', condition: { message: 'no MORE' } },
    });
    expect(await test.ask('eval-in-frame', { ...asked, code: '(deep 1)' })).toMatchObject({
      left: false,
      result: { status: 'error', condition: { type: expect.stringContaining('EXHAUSTED') } },
    });
    expect(await test.ask('return-from-frame', { ...asked, code: '1' })).toMatchObject({
      left: false,
      result: { condition: { message: expect.stringContaining('too close to the end') } },
    });
    expect(await test.ask('restart-frame', asked)).toMatchObject({
      left: false,
      result: { condition: { message: expect.stringContaining('too close to the end') } },
    });
    await abort(test, record);
    expect(await test.value('(+ 1 2)')).toBe('3');
  });

  it('A stack is exhausted for the debugger wherever on its last pages the recursion ended [issue 11.3]', async () => {
    let entered = test.next('debugger-entered');
    let stops = 0;
    for (let room = 20; room < 420; room += 10) {
      // The function allocates nothing on the heap, because SBCL itself would end if the stack were exhausted during an allocation.
      await test.value(
        `(defun within (n)
           (let ((room (make-array ${room}))) (declare (dynamic-extent room))
             (+ (within (logand (1+ n) 1)) (length room))))`,
      );
      const reply = test.evaluate('(restart-case (within 1) (give (v) :interactive (lambda () (list (read))) v))', {
        onError: 'debug',
        evaluation,
        interactive: true,
      });
      const stop = await Promise.race([entered, reply]);
      // If too little stack is left to wait in the debugger, the evaluation ends with the error.
      if (!('event' in stop)) continue;
      stops += 1;
      expect({ room, ...stop.debugger.restarts[0] }).toMatchObject({ room, name: 'GIVE', asks: false });
      entered = test.next('debugger-entered');
      await abort(test, stop.debugger);
      expect((await reply).condition!.type).toBe('ABORT');
    }
    expect(stops).toBeGreaterThan(5);
    expect(await test.value('(+ 1 2)')).toBe('3');
  });

  it('A restart outside of the recursion takes its arguments on an exhausted stack; one within is refused [issue 11.3]', async () => {
    await test.value(
      // Each level uses space on the control stack; otherwise the binding stack would be exhausted first.
      `(defun within (n)
         (let ((room (make-array 200))) (declare (dynamic-extent room))
           (restart-case (progn (setf (aref room (mod n 200)) n) (+ (within (1+ n)) (aref room (mod n 200)))) (use-value (v) :interactive (lambda () (list (read))) v))))`,
    );
    const { reply, debugger: record } = await stopped(
      test,
      '(list (restart-case (within 1) (give (v) :report "Give one." v)))',
    );
    expect(record.restarts.length).toBeLessThan(200);
    expect(record.restarts[0]).toMatchObject({ name: 'USE-VALUE', asks: false });
    expect(
      await test.ask('invoke-restart', { debugger: record.id, restart: 0, arguments: ['5'], asks: true }),
    ).toMatchObject({ left: false, result: { condition: { message: expect.stringContaining('outer restart') } } });
    expect(await restart(test, record, 'GIVE', ['(* 6 7)'])).toMatchObject({ left: true });
    expect((await reply).values[0]!.text).toBe('(42)');
    expect(await test.value('(+ 1 2)')).toBe('3');
  });

  it('A thread with an exhausted stack waits too, and an interrupt ends the wait [issue 11.3]', async () => {
    const { debugger: record } = await stopped(
      test,
      '(sb-thread:join-thread (sb-thread:make-thread (lambda () (deep 1))))',
    );
    expect(record.type).toMatch(/CONTROL-STACK-EXHAUSTED/);
    await test.ask('interrupt', { evaluation: record.evaluation });
    await restart(test, record, 'ABORT');
    await test.next('debugger-left');
    const { reply, debugger: own } = await stopped(test, '(deep 1)');
    await test.ask('give-up', { evaluation: own.evaluation });
    expect((await reply).status).toBe('interrupted');
    expect(await test.value('(+ 1 2)')).toBe('3');
  });

  it('Threads that end with an exhausted stack leave it in order for those that come after them [issue 11.3]', async () => {
    const ended = '(sb-thread:join-thread (sb-thread:make-thread (lambda () (deep 1))) :default :ended)';
    for (let time = 0; time < 10; time += 1) expect(await test.value(ended)).toBe(':ENDED');
    const handled = '(handler-case (deep 1) (storage-condition () :handled))';
    for (let time = 0; time < 10; time += 1)
      expect(await test.value(`(sb-thread:join-thread (sb-thread:make-thread (lambda () ${handled})))`)).toBe(
        ':HANDLED',
      );
    expect(await test.value('(+ 1 2)')).toBe('3');
  });

  it('An agent has its report of an exhausted stack, held in the debugger where its mode is that [E41, issue 11.3]', async () => {
    const report = await test.evaluate('(deep 1)');
    expect(report).toMatchObject({ status: 'error', debugger: null });
    const held = await test.evaluate('(deep 1)', { onError: 'hold', guard: true, actor: 'client:a' });
    const texts = ({ condition }: typeof held): unknown => ({
      ...condition,
      frames: condition!.frames.map(({ call }) => call.replace(/ .*/, '')),
    });
    expect(texts(held)).toEqual(texts(report));
    const { debugger: record } = await test.next('debugger-entered');
    expect(held.debugger).toBe(record.id);
    await abort(test, record);
    expect(await test.value('(+ 1 2)')).toBe('3');
  });

  it('An array that is too large waits in the debugger [issue 11.3]', async () => {
    const { debugger: record } = await stopped(test, '(make-array (expt 10 11))');
    expect(record.type).toMatch(/HEAP-EXHAUSTED/);
    await abort(test, record);
    expect(await test.value('(+ 1 2)')).toBe('3');
  });
});
