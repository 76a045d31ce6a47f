/** Evaluations of agents that are answered and wait in the debugger. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { evaluation, openDebuggers, restart } from './debugger.fixture.ts';

let test: TestImage;

beforeEach(async () => {
  test = await openTestImage();
}, 120_000);

afterEach(() => test.close());

describe('debugger', () => {
  it("The debugger keeps an agent's evaluation suspended after its answer, until the agent evaluates again [D6]", async () => {
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

  it("The debugger unwinds an agent's suspended evaluation, cleanup forms and all, before the agent evaluates again [D6]", async () => {
    await test.value('(defvar *cleaned* nil)');
    const who = { actor: 'client:a', context: 'a' };
    const code = '(unwind-protect (error "held") (loop repeat 20 do (sleep 0.01)) (setf *cleaned* t))';
    await test.evaluate(code, { onError: 'hold', evaluation, ...who });
    await test.next('debugger-entered');
    expect(await test.value('*cleaned*', who)).toBe('T');
    await test.next('debugger-left');
    expect(await test.next('evaluation-continued')).toMatchObject({ evaluation, status: 'interrupted' });
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
