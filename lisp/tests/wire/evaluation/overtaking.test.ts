/** Evaluations of the person that overtake an agent's evaluation, and run at the same time. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ALL_LISTED, openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import type { OperationReply } from '#core/lisp/messages.ts';
import { decide } from '../effects.fixture.ts';

let test: TestImage;

const AGENT = 'client:a';
const PERSON = { context: 'person', overtakes: true };
const AS_AGENT = { actor: AGENT, guard: true, context: 'agent', evaluation: 'agents' };

beforeEach(async () => {
  test = await openTestImage();
  await test.value('(progn (defvar *go* nil) (defvar *begun* nil))');
}, 120_000);

afterEach(() => test.close());

/** Starts an agent's code that prints a line and runs until `*go*` is true. Resolves when the line has been printed. */
async function agentUntilGo(before = '', after = ':done'): Promise<{ reply: Promise<OperationReply<'evaluate'>> }> {
  const code = `(progn ${before} (write-line "begun") (finish-output) (loop until *go*) ${after})`;
  const reply = test.evaluate(code, AS_AGENT);
  reply.catch(() => {});
  await test.next('output');
  return { reply };
}

const person = (code: string, more = {}) => test.value(code, { ...PERSON, ...more });

describe('overtaking', () => {
  it("The person's code runs at once while an agent's runs, which goes on and answers [issue 35.2]", async () => {
    const { reply } = await agentUntilGo();
    expect(await person('(+ 1 1)')).toBe('2');
    expect(await person('(list *go* *)')).toBe('(NIL 2)');
    await expect.poll(() => test.ask('ping', {})).toMatchObject({ evaluating: 'agents' });
    expect(await person('(setf *go* t)')).toBe('T');
    expect(await reply).toMatchObject({ status: 'ok', values: [{ text: ':DONE' }], redoable: false });
    expect(await test.evaluate('(list 1)', AS_AGENT)).toMatchObject({ redoable: true });
  });

  it("An agent's code that ends while the person's still runs is answered at once [issue 35.2]", async () => {
    const { reply } = await agentUntilGo();
    const own = test.evaluate('(progn (setf *go* t) (read-char *terminal-io*) (loop while *go*) :mine)', {
      ...PERSON,
      evaluation: 'mine',
      interactive: true,
    });
    expect((await reply).status).toBe('ok');
    await test.next('input-requested');
    await test.ask('input', { evaluation: 'mine', text: 'x\n' });
    // Another evaluation by an agent still waits until the person's evaluation has ended.
    const later = test.evaluate('(setf *begun* t)', AS_AGENT);
    const looks = { ...PERSON, context: 'other' };
    await test.ask('interrupt', { evaluation: 'mine' });
    expect((await own).status).toBe('interrupted');
    expect((await later).status).toBe('ok');
    expect(await test.value('*begun*', looks)).toBe('T');
  });

  it('Either of two evaluations that run at once is interrupted, and the other goes on [issue 35.2]', async () => {
    const { reply } = await agentUntilGo();
    const own = test.evaluate('(progn (setf *begun* t) (loop))', { ...PERSON, evaluation: 'mine' });
    await expect.poll(() => test.ask('interrupt', { evaluation: 'mine' })).toEqual({ found: true });
    expect((await own).status).toBe('interrupted');
    expect(await person('*go*')).toBe('NIL');
    await test.ask('interrupt', { evaluation: 'agents' });
    expect((await reply).status).toBe('interrupted');
    expect(await test.value('(+ 1 2)')).toBe('3');
  });

  it("The person's code waits in the debugger while the agent's goes on, and goes on there [issue 35.2]", async () => {
    const { reply } = await agentUntilGo();
    const own = test.evaluate('(restart-case (error "stop") (give (v) v))', {
      ...PERSON,
      onError: 'debug',
      interactive: true,
    });
    const { debugger: record } = await test.next('debugger-entered');
    expect(await person('(+ 1 1)', { context: 'other' })).toBe('2');
    const give = record.restarts.find(({ name }) => name === 'GIVE')!;
    await test.ask('invoke-restart', { debugger: record.id, restart: give.index, arguments: ['42'] });
    expect((await own).values[0]!.text).toBe('42');
    await person('(setf *go* t)');
    expect((await reply).status).toBe('ok');
  });

  it("What the person's code may do is not asked about, what the agent's does is, which waits for it and goes on [issue 35.2]", async () => {
    const file = `${test.directory}/x`;
    const { reply } = await agentUntilGo('', `(with-open-file (s "${file}" :direction :output) (print 1 s) :wrote)`);
    await person(`(with-open-file (s "${file}-mine" :direction :output) (print 1 s) (setf *go* t))`);
    const { effect } = await test.next('effect-requested');
    expect(effect).toMatchObject({ evaluation: 'agents' });
    // An agent's evaluation that is waiting for the person does not block other evaluations.
    expect(await test.value('(setf *begun* 5)', { ...AS_AGENT, context: 'second', evaluation: 'second' })).toBe('5');
    await decide(test, effect, 'proceed');
    expect((await reply).values[0]!.text).toBe(':WROTE');
  });

  it('What was changed while both ran and no definition tells of is listed as the agent’s [issue 35.2]', async () => {
    await test.value('(progn (defun target () 1) (defun other () 1))');
    const { reply } = await agentUntilGo("(setf (symbol-function 'target) (lambda () 2))");
    await person('(progn (defclass thing () ()) (defun mine () 3))');
    await person('(defstruct pair a b)');
    await person('(setf *go* t)');
    await reply;
    await test.ask('list-definitions', { ...ALL_LISTED, package: null });
    const told = test.events.flatMap((event) => (event.event === 'definition-events' ? event.events : []));
    const actorOf = (name: string): unknown => told.findLast((event) => event.name === name)?.actor;
    expect(actorOf('TARGET')).toBe(AGENT);
    expect(actorOf('MINE')).toBe('person');
  });

  it('A hook that came while both ran is nobody’s that vouches for it [issue 35.2]', async () => {
    const { reply } = await agentUntilGo('', '(push (lambda () (print 1)) sb-ext:*exit-hooks*)');
    await person('(setf *go* t)');
    await reply;
    const { hooks } = await test.ask('list-hooks', {});
    expect(hooks).toMatchObject([{ actor: AGENT }]);
  });

  it('An image in which an agent’s code runs beside is not copied, and says why at once [issue 35.2]', async () => {
    const { reply } = await agentUntilGo();
    await person('(+ 1 1)');
    expect(await test.ask('checkpoint', { idle: false })).toMatchObject({
      reason: 'An evaluation is running.',
    });
    await person('(setf *go* t)');
    await reply;
  });

  it('Code of an agent that fills the heap is stopped, and not that of the person beside it [issue 35.2]', async () => {
    const fills = '(unwind-protect (let ((all nil)) (loop (push (make-list 100000) all))) (setf *begun* t))';
    const { reply } = await agentUntilGo('', fills);
    const own = test.evaluate('(progn (setf *go* t) (loop until *begun*) :mine)', { ...PERSON });
    expect((await reply).condition!.type).toMatch(/HEAP-EXHAUSTED/);
    expect((await own).values[0]!.text).toBe(':MINE');
  });

  it('Hundreds of forms beside an agent that waits and goes on by turns are each answered once [issue 35.2]', async () => {
    const asks = `(dotimes (i 60 :done) (handler-case (delete-file "${test.directory}/none") (error ())) (sleep 0.001))`;
    test.image.events.on('event', (event) => {
      if (event.event === 'effect-requested') decide(test, event.effect, 'deny', { reason: 'No' }).catch(() => {});
    });
    const rounds = Array.from({ length: 4 }, (_, index) =>
      test.evaluate(asks, { ...AS_AGENT, evaluation: `agents-${index}` }),
    );
    const ended = Promise.all(rounds).then(() => null);
    let sums = 0;
    for (;;) {
      const own = Promise.all([1, 2, 3].map((n) => person(`(+ ${n} ${sums})`)));
      expect(await own).toEqual([1, 2, 3].map((n) => String(n + sums)));
      sums += 1;
      if ((await Promise.race([ended, Promise.resolve(sums)])) === null) break;
    }
    expect((await Promise.all(rounds)).map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(await test.value('(+ 1 2)')).toBe('3');
  });
});
