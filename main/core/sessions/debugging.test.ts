import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DebuggerHead } from '#contract/image/debugger.ts';
import type { DebuggerRecord } from '#contract/image/debugger.ts';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';
import * as debugging from './debugging.ts';
import { AGENT, openTestSession, type TestSession } from './session.fixture.ts';

let test: TestSession;

beforeEach(async () => {
  test = await openTestSession();
}, 120_000);

afterEach(() => test.close());

function entered({ session }: Pick<TestSession, 'session'>): Promise<DebuggerRecord> {
  return new Promise((resolve) => {
    const stop = session.events.on('debugger-entered', (record) => {
      stop();
      resolve(record);
    });
  });
}

function left({ session }: Pick<TestSession, 'session'>): Promise<void> {
  return new Promise((resolve) => {
    const stop = session.events.on('debugger-left', () => {
      stop();
      resolve();
    });
  });
}

async function stopped(code: string): Promise<{ record: DebuggerRecord; said: Promise<string> }> {
  const entering = entered(test);
  const said = test.say(code, { onError: 'debug', interactive: true, evaluation: randomUUID() });
  return { record: await entering, said };
}

const heads = (): DebuggerHead[] => test.session.openDebuggers.debuggers;

describe('debuggers of a session', () => {
  it('The list of debuggers tells who waits in each, with which form, and its levels [issue 11.3]', async () => {
    const { record, said } = await stopped('(list  (error "first"))');
    const entering = entered(test);
    const evaluated = debugging.evaluateInFrame(test.session, {
      debugger: record.id,
      frame: 0,
      code: '(error "second")',
    });
    const { id } = await entering;
    expect(heads()).toMatchObject([
      { id: record.id, level: 1, actor: { id: 'person' }, summary: '(list (error "first"))', message: 'first' },
      { id, level: 2, actor: { id: 'person' }, summary: '(list (error "first"))', message: 'second' },
    ]);
    expect(test.session.view().state).toBe('debugging');
    const inner = test.session.debugger(id);
    await debugging.invokeRestart(test.session, { debugger: inner.id, restart: 0, arguments: [] });
    expect(await evaluated).toMatchObject({ left: false, result: { condition: { type: 'ABORT' } } });
    await debugging.quit(test.session, record.id);
    expect(await said).toBe('ABORT: Aborted at SIMPLE-ERROR: second');
    expect(test.session.openDebuggers).toEqual({ debuggers: [], gone: null });
  });

  it('Quitting a debugger unwinds all of its levels [issue 11.3]', async () => {
    const { record, said } = await stopped('(error "first")');
    const entering = entered(test);
    debugging
      .evaluateInFrame(test.session, { debugger: record.id, frame: 0, code: '(error "second")' })
      .catch(() => {});
    await debugging.quit(test.session, (await entering).id);
    expect(await said).toBe('ABORT: Aborted at SIMPLE-ERROR: second');
    expect(heads()).toEqual([]);
  });

  it('An error that an agent holds is listed with its name, keeps the state, and is ended by the person [B9, issue 11.3]', async () => {
    const entering = entered(test);
    await test.say('(error "held")', { actor: AGENT, onError: 'hold' });
    const { id } = await entering;
    expect(heads()).toMatchObject([{ id, held: true, actor: AGENT, summary: '(error "held")' }]);
    expect(test.session.view().state).toBe('debugging');
    const leaving = left(test);
    await debugging.quit(test.session, id);
    await leaving;
    expect(test.session.view().state).toBe('idle');
    expect(() => test.session.debugger(id)).toThrow('This debugger is closed');
  });

  it('An image that ends with two debuggers open says so, and each call to them [issue 11.3]', async () => {
    const first = await stopped('(error "first")');
    const second = await stopped('(error "second")');
    process.kill(test.session.view().pid!, 'SIGKILL');
    expect(await first.said).toMatch(/IMAGE-LOST/);
    expect(await second.said).toMatch(/IMAGE-LOST/);
    expect(test.session.openDebuggers).toEqual({
      debuggers: [],
      gone: 'The image was ended by SIGKILL. 2 debuggers ended with it.',
    });
    expect(() => debugging.localsOf(test.session, { debugger: first.record.id, frame: 0 })).toThrow(
      'The image was ended by SIGKILL. 2 debuggers ended with it.',
    );
    const again = await stopped('(error "third")');
    expect(test.session.openDebuggers).toMatchObject({ debuggers: [{ message: 'third' }], gone: null });
    await debugging.quit(test.session, again.record.id);
    await again.said;
  });

  it('A restart of the image empties the list with its reason [issue 11.3]', async () => {
    const { said } = await stopped('(error "first")');
    await test.session.restart();
    expect(await said).toMatch(/IMAGE-LOST/);
    expect(test.session.openDebuggers.gone).toBe('The image was restarted. 1 debugger ended with it.');
  });

  it('An interrupt ends what runs in a debugger, which stays open [issue 11.3]', async () => {
    const { record, said } = await stopped('(error "first")');
    const printed = new Promise<void>((resolve) => {
      test.session.events.on('output', () => resolve());
    });
    const evaluated = debugging.evaluateInFrame(test.session, {
      debugger: record.id,
      frame: 0,
      code: '(progn (print :in) (finish-output) (loop (sleep 0.01)))',
    });
    await printed;
    expect(await test.session.interrupt(record.evaluation)).toBe(true);
    expect(await evaluated).toMatchObject({ left: false, result: { status: 'interrupted' } });
    expect(heads()).toHaveLength(1);
    expect(await test.session.interrupt(null)).toBe(true);
    expect(await said).toBe('interrupted');
  });

  it('Code in a debugger that no interrupt reaches is ended with its evaluation [issue 11.3]', async () => {
    const { record, said } = await stopped('(error "first")');
    const printed = new Promise<void>((resolve) => {
      test.session.events.on('output', () => resolve());
    });
    const code = '(sb-sys:without-interrupts (print :in) (finish-output) (loop (sleep 0.01)))';
    debugging.evaluateInFrame(test.session, { debugger: record.id, frame: 0, code }).catch(() => {});
    await printed;
    expect(await test.session.interrupt(record.evaluation)).toBe(true);
    expect(await said).toMatch(/interrupted|LOST/);
    expect(await test.say('(+ 1 2)')).toBe('3');
  });

  it('A function is compiled for debugging beside an open debugger, and a name of none is refused with the reason [issue 11.3]', async () => {
    await test.say('(defun looked-at (x) (list x))');
    const { record, said } = await stopped('(error "first")');
    expect(await debugging.compileForDebugging(test.session, 'looked-at', true)).toEqual({
      functions: ['LOOKED-AT'],
      note: null,
    });
    await expect(debugging.compileForDebugging(test.session, 'no-such-function', true)).rejects.toThrow(
      'is not the name of a function',
    );
    await debugging.quit(test.session, record.id);
    await said;
  });

  it('Quitting the debugger of a thread ends that thread, and its evaluation goes on [issue 11.3]', async () => {
    const { record, said } = await stopped(
      `(progn (defvar *go* nil)
         (let ((thread (sb-thread:make-thread (lambda () (error "in the thread")) :name "mine")))
           (loop while (sb-thread:thread-alive-p thread) do (sleep 0.01))
           (loop until *go* do (sleep 0.01))
           :went-on))`,
    );
    expect(record.thread).toBe('mine');
    const deeper = entered(test);
    debugging
      .evaluateInFrame(test.session, { debugger: record.id, frame: 0, code: '(error "second")' })
      .catch(() => {});
    const { id } = await deeper;
    const leaving = left(test);
    await debugging.quit(test.session, id);
    await leaving;
    await expect.poll(heads).toEqual([]);
    expect(test.session.underway.map(({ evaluation }) => evaluation)).toEqual([record.evaluation]);
    await test.session.interrupt(record.evaluation);
    expect(await said).toBe('interrupted');
  });

  it('A thread that outlived its evaluation waits in the debugger with its evaluation, and is ended [issue 11.3]', async () => {
    const entering = entered(test);
    const code =
      '(progn (defvar *go* (sb-thread:make-semaphore)) (sb-thread:make-thread (lambda () (sb-thread:wait-on-semaphore *go*) (error "in a thread")) :name "mine") :begun)';
    expect(await test.say(code, { onError: 'debug' })).toBe(':BEGUN');
    await test.say('(sb-thread:signal-semaphore *go*)');
    const { id } = await entering;
    expect(heads()).toMatchObject([{ id, thread: 'mine', message: 'in a thread', actor: { id: 'person' } }]);
    expect(heads()[0]!.summary).toContain('defvar *go*');
    const leaving = left(test);
    await debugging.quit(test.session, id);
    await leaving;
    expect(heads()).toEqual([]);
  });

  it('A running evaluation is stopped where it is [issue 11.3]', async () => {
    const evaluation = randomUUID();
    const printed = new Promise<void>((resolve) => {
      test.session.events.on('output', () => resolve());
    });
    const said = test.say('(progn (print :in) (finish-output) (loop (sleep 0.01)))', { onError: 'debug', evaluation });
    await printed;
    const entering = entered(test);
    const broken = await debugging.breakIn(test.session, evaluation);
    const { id } = await entering;
    expect(broken).toEqual({ found: true, debugger: id });
    await debugging.quit(test.session, id);
    expect(await said).toBe('interrupted');
    expect(await debugging.breakIn(test.session, evaluation)).toEqual({ found: false, debugger: null });
  });

  it('Code that cannot be interrupted is said not to have stopped, and enters the debugger once it can be [K6, issue 11.3]', async () => {
    const evaluation = randomUUID();
    const printed = new Promise<void>((resolve) => {
      test.session.events.on('output', () => resolve());
    });
    const said = test.say(
      '(progn (sb-sys:without-interrupts (print :in) (finish-output) (loop until (probe-file "go") do (sleep 0.01))) :out)',
      { onError: 'debug', evaluation },
    );
    await printed;
    const entering = entered(test);
    expect(await debugging.breakIn(test.session, evaluation)).toEqual({ found: true, debugger: null });
    await writeFile(path.join(test.directory, 'go'), '');
    const { id, kind, restarts } = await entering;
    expect({ kind, restarts: restarts.map(({ name }) => name) }).toEqual({
      kind: 'interrupt',
      restarts: ['CONTINUE', 'RETRY', 'ABORT'],
    });
    await debugging.invokeRestart(test.session, { debugger: id, restart: 0, arguments: [] });
    expect(await said).toBe(':OUT');
  });
});

describe("errors of the person's evaluations", () => {
  let bench: TestWorkbench;

  afterEach(() => bench.close());

  it('The setting says whether an error of the person waits in the debugger or is reported [B8, issue 11.3]', async () => {
    bench = await openTestWorkbench({ shared: true });
    const { workbench } = bench;
    const evaluate = () =>
      workbench.evaluateAsPerson({
        evaluation: randomUUID(),
        code: '(restart-case (error "which?") (use-value (v) v))',
        package: null,
        origin: 'repl',
        source: null,
      });
    const entering = entered(workbench);
    const waiting = evaluate();
    const { id, restarts } = await entering;
    expect(restarts.map(({ name }) => name)).toEqual(['USE-VALUE', 'RETRY', 'ABORT']);
    await debugging.invokeRestart(workbench.session, { debugger: id, restart: 0, arguments: ['(* 6 7)'] });
    expect((await waiting).values[0]!.text).toBe('42');
    await workbench.changeSettings({ onError: 'report' });
    expect((await evaluate()).condition).toMatchObject({ type: 'SIMPLE-ERROR', message: 'which?' });
    expect(workbench.session.debuggers).toEqual([]);
  });
});
