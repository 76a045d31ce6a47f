/** An effect that is waiting for its decision: the work that continues until then, and the events that end the wait. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AGENT, decide } from '../effects.fixture.ts';
import { DENIED, openInFolder, type ImageInFolder } from './folder.fixture.ts';

let image: ImageInFolder['image'];
let at: ImageInFolder['at'];
let deleting: ImageInFolder['deleting'];
let close: ImageInFolder['close'];

beforeEach(async () => {
  ({ image, at, deleting, close } = await openInFolder());
});

afterEach(() => close());

describe('waiting for a decision', () => {
  it('The person evaluates while an effect waits for a decision, and the image makes no checkpoint [G2]', async () => {
    const reply = image.evaluate(deleting('file'), AGENT);
    const { effect } = await image.next('effect-requested');
    expect(await image.value('(defparameter *mine* 7)')).toBe('*MINE*');
    expect(await image.value('(list *mine* (length (sb-thread:list-all-threads)))')).toMatch(/^\(7 /);
    expect(await image.image.checkpoint()).toEqual({
      reason: '1 evaluation is waiting for input, a debugger or an approval.',
    });
    await decide(image, effect, 'proceed');
    expect((await reply).status).toBe('ok');
    expect(existsSync(at('file'))).toBe(false);
    expect(await image.image.checkpoint()).toHaveProperty('pid');
  });

  it('An effect that waits for a decision can be interrupted', async () => {
    const reply = image.evaluate(deleting('file'), { ...AGENT, evaluation: 'waits' });
    const { effect } = await image.next('effect-requested');
    expect(await image.ask('interrupt', { evaluation: 'waits' })).toEqual({ found: true });
    expect((await reply).status).toBe('interrupted');
    expect(await image.next('effect-settled')).toMatchObject({ effect: effect.effect, outcome: 'interrupted' });
    expect(await decide(image, effect, 'proceed')).toEqual({ found: false });
    expect(existsSync(at('file'))).toBe(true);
  });

  it('An effect that waits is settled, however many interrupts its evaluation gets', async () => {
    for (let round = 0; round < 40; round += 1) {
      const evaluation = `waits-${round}`;
      const reply = image.evaluate(deleting('file'), { ...AGENT, evaluation });
      const { effect } = await image.next('effect-requested');
      await Promise.all(Array.from({ length: 5 }, () => image.ask('interrupt', { evaluation })));
      expect((await reply).status).toBe('interrupted');
      expect(await image.next('effect-settled')).toMatchObject({ effect: effect.effect, outcome: 'interrupted' });
    }
    expect(existsSync(at('file'))).toBe(true);
    expect(await image.image.checkpoint()).toHaveProperty('pid');
  });

  it('A waiting effect has another name in a copy of the image that goes on', async () => {
    const checkpoint = await image.image.checkpoint();
    const first = image.evaluate(deleting('file'), AGENT).catch(() => {});
    const { effect } = await image.next('effect-requested');
    image.image.endLife('Back.');
    await image.image.lifeOver;
    await image.image.wake((checkpoint as { pid: number }).pid);
    await first;
    expect(await decide(image, effect, 'proceed')).toEqual({ found: false });
    const second = image.evaluate(deleting('file'), AGENT);
    const { effect: again } = await image.next('effect-requested');
    expect(again.effect).not.toBe(effect.effect);
    await decide(image, again, 'deny');
    expect((await second).condition?.type).toBe(DENIED);
  });

  it('A waiting effect shows its restarts in the debugger, where they only ask again [G3]', async () => {
    const reply = image.evaluate(deleting('file'), { ...AGENT, evaluation: 'waits', onError: 'debug' });
    const { effect } = await image.next('effect-requested');
    await image.ask('break-in', { evaluation: 'waits' });
    const { debugger: open } = await image.next('debugger-entered');
    const names = open.restarts.map(({ name }) => name?.replace('LISP-WORKBENCH:', ''));
    expect(names).toEqual(expect.arrayContaining(['PROCEED', 'PROCEED-ALWAYS', 'USE-PATH', 'DENY', 'ABORT']));
    const restart = names.indexOf('PROCEED');
    expect(await image.ask('invoke-restart', { debugger: open.id, restart, arguments: [] })).toMatchObject({
      left: true,
    });
    const { effect: again } = await image.next('effect-requested');
    expect([again.target, again.effect === effect.effect]).toEqual([effect.target, false]);
    await decide(image, again, 'deny', { reason: 'No' });
    const { debugger: failed } = await image.next('debugger-entered');
    expect(failed.type).toBe(DENIED);
    await image.ask('interrupt', { evaluation: 'waits' });
    await reply;
    expect(existsSync(at('file'))).toBe(true);
  });

  it('A waiting effect has its restarts as soon as it is told, however slow its thread is after that [G3]', async () => {
    await image.value(
      `(sb-int:encapsulate 'sb-unix:unix-write :slow
         (lambda (write descriptor &rest more)
           (multiple-value-prog1 (apply write descriptor more)
             (when (and (eql 4 descriptor)
                        (find-if (lambda (frame) (and (symbolp (first frame)) (string= "AWAIT-DECISION" (first frame))))
                                 (sb-debug:list-backtrace)))
               (sleep 0.5)))))`,
    );
    const reply = image.evaluate(deleting('file'), { ...AGENT, evaluation: 'slow', onError: 'debug' });
    await image.next('effect-requested');
    await image.ask('break-in', { evaluation: 'slow' });
    const { debugger: open } = await image.next('debugger-entered');
    expect(open.restarts.map(({ name }) => name)).toContain('LISP-WORKBENCH:DENY');
    await image.ask('interrupt', { evaluation: 'slow' });
    expect((await reply).status).toBe('interrupted');
  });

  it('Clean-up forms of an interrupted effect are asked for as well [G1]', async () => {
    await writeFile(at('other'), 'kept');
    const code = `(unwind-protect ${deleting('file')} ${deleting('other')})`;
    const reply = image.evaluate(code, { ...AGENT, evaluation: 'waits' });
    await image.next('effect-requested');
    await image.ask('interrupt', { evaluation: 'waits' });
    const { effect } = await image.next('effect-requested');
    expect(effect.target).toBe(at('other'));
    await decide(image, effect, 'proceed');
    expect((await reply).status).toBe('interrupted');
    expect([existsSync(at('file')), existsSync(at('other'))]).toEqual([true, false]);
  });
});
