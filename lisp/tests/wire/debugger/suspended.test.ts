/** Agents' evaluations that wait in the debugger after their calls have already been answered. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { evaluation, openDebuggers, restart } from './debugger.fixture.ts';

let test: TestImage;

beforeEach(async () => {
  test = await openTestImage();
}, 120_000);

afterEach(() => test.close());

describe('debugger', () => {
  it("The debugger keeps an agent's evaluation suspended after its answer while it evaluates more, until it is given up [D6, issue 35.1]", async () => {
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
    expect(await test.value('(progn (defun meanwhile ()) 1)', { context: 'a', actor: 'client:a' })).toBe('1');
    expect(await test.value('*unwound*')).toBe('NIL');
    await test.ask('give-up', { evaluation });
    await test.next('debugger-left');
    expect(await test.next('evaluation-continued')).toMatchObject({ evaluation, status: 'interrupted' });
    expect(await test.value('*unwound*')).toBe('T');
  });

  it('The debugger unwinds an evaluation that is given up, cleanup forms and all, before its client evaluates again [D6]', async () => {
    await test.value('(defvar *cleaned* nil)');
    const who = { actor: 'client:a', context: 'a' };
    const code = '(unwind-protect (error "held") (loop repeat 20 do (sleep 0.01)) (setf *cleaned* t))';
    await test.evaluate(code, { onError: 'hold', evaluation, ...who });
    await test.next('debugger-entered');
    await test.ask('give-up', { evaluation });
    expect(await test.value('*cleaned*', who)).toBe('T');
    await test.next('debugger-left');
    expect(await test.next('evaluation-continued')).toMatchObject({ evaluation, status: 'interrupted' });
  });

  it('The end of a suspended evaluation is told whole, however many interrupts it gets [D6, K6]', async () => {
    await test.value('(defvar *cleaned* 0)');
    const rounds = Array.from({ length: 60 }, (_, n) => `round-${n}`);
    for (const id of rounds) {
      const who = { evaluation: id, context: id, actor: 'client:a' };
      await test.evaluate('(unwind-protect (error "held") (sleep 0.001) (incf *cleaned*))', {
        onError: 'hold',
        ...who,
      });
      // Simulates a client that leaves: its evaluations that wait in the debugger are given up, and its context is forgotten.
      await Promise.all([
        test.ask('give-up', { evaluation: id }),
        test.ask('forget-context', { context: id }),
        test.ask('give-up', { evaluation: id }),
      ]);
      expect(await test.next('evaluation-continued')).toMatchObject({ evaluation: id, status: 'interrupted' });
    }
    expect(await test.value('*cleaned*')).toBe(String(rounds.length));
    // Even if an impatient person interrupts the code's cleanup forms, every event is reported.
    for (const id of rounds.map((each) => `impatient-${each}`)) {
      await test.evaluate('(unwind-protect (error "held") (sleep 0.001))', {
        onError: 'hold',
        evaluation: id,
        context: id,
      });
      await Promise.all(Array.from({ length: 5 }, () => test.ask('interrupt', { evaluation: id })));
      expect(await test.next('evaluation-continued')).toMatchObject({ evaluation: id });
    }
    const entered = test.events.flatMap((event) => (event.event === 'debugger-entered' ? [event.debugger.id] : []));
    const left = test.events.flatMap((event) => (event.event === 'debugger-left' ? [event.debugger] : []));
    expect(entered.filter((id) => !left.includes(id))).toEqual([]);
    expect(await test.image.checkpoint()).toHaveProperty('pid');
  });

  it('The debugger tells how a suspended evaluation went on after a restart [D6]', async () => {
    await test.evaluate('(list (restart-case (error "held") (use-value (v) v)))', { onError: 'hold', evaluation });
    const { debugger: record } = await test.next('debugger-entered');
    await restart(test, record, 'USE-VALUE', ['8']);
    expect(await test.next('evaluation-continued')).toMatchObject({
      evaluation,
      status: 'ok',
      values: [{ text: '(8)' }],
    });
    await test.next('debugger-left');
  });

  it('The debugger gives up suspended evaluations from all levels, also when their client goes [D6]', async () => {
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
    expect(await openDebuggers(test)).toEqual([]);
    expect(await test.image.checkpoint()).toHaveProperty('pid');
  });
});
