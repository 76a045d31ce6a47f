/** Breakpoints of a folder. They survive new images, restarts of the program and damaged files. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Breakpoints as BreakpointsView } from '#contract/image/debugger.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';
import { Breakpoints } from './breakpoints.ts';
import * as debugging from './debugging.ts';
import { KeptBreakpoints } from './kept-breakpoints.ts';
import { openTestSession, type TestSession } from './session.fixture.ts';

const DEFINED = '(progn (defun stopping (x) (* 2 x)) (define-condition odd (condition) ()))';

let config: string;
let test: TestSession;
let kept: KeptBreakpoints;
let breakpoints: Breakpoints;

beforeEach(async () => {
  config = await mkdtemp(path.join(tmpdir(), 'config-'));
});

afterEach(() => rm(config, { recursive: true, force: true }));

const here = (wanted: string, name = wanted) => ({ wanted, name, there: true });
const waiting = (wanted: string) => ({ wanted, name: wanted, there: false });

/** Resolves once the breakpoints equal `view`. */
function become(view: BreakpointsView): Promise<void> {
  const same = (): boolean => JSON.stringify(breakpoints.value) === JSON.stringify(view);
  return new Promise((resolve) => {
    if (same()) return resolve();
    const stop = breakpoints.events.on('changed', () => {
      if (!same()) return;
      stop();
      resolve();
    });
  });
}

/** Evaluates code that stops in the debugger, and continues it. Resolves with the debugger's message and the result. */
async function stop(code: string): Promise<{ message: string; said: string }> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const ignore = test.session.events.on('debugger-entered', ({ id, message, restarts }) => {
    ignore();
    resolve(message);
    const restart = restarts.findIndex(({ name }) => name === 'CONTINUE');
    void debugging.invokeRestart(test.session, { debugger: id, restart, arguments: [] });
  });
  const said = test.say(code, { onError: 'debug', interactive: true });
  const message = await Promise.race([promise, said.then((text) => `not stopped: ${text}`)]);
  ignore();
  return { message, said: await said };
}

describe('breakpoints of a folder', () => {
  const open = async (folder: string | null = '/p', options = {}): Promise<void> => {
    test = await openTestSession(options);
    kept = new KeptBreakpoints(config);
    breakpoints = new Breakpoints(test.session, kept, folder);
  };

  afterEach(async () => {
    await test.close();
    await kept.settled();
  });

  it('A line of a function stops its calls, in new images too, and a line that cannot is set on the call with the reason [issue 39.2]', async () => {
    await open();
    await test.say('(defun lined (x)\n  (list x\n    (* x 2)))');
    const line = { line: 2, text: '(* x 2)))' };
    expect(await breakpoints.setLine('lined', line, true)).toEqual({
      functions: [{ ...here('LINED'), lines: [line] }],
      conditions: [],
      problem: null,
    });
    expect((await stop('(lined 4)')).message).toBe('Breakpoint: LINED, line 3 of its definition.');
    const gone = await breakpoints.setLine('lined', { line: 1, text: '(vector x' }, true);
    expect(gone.problem).toMatch(/^The line is not in the definition of LINED/);
    expect(gone.functions[0]!.lines!.map((each) => each.line)).toEqual([0, 2]);
    await breakpoints.setLine('lined', { line: 0, text: '' }, false);
    await test.session.restart();
    await test.say('(defun lined (x)\n  (list x\n    (* x 2)))');
    expect((await stop('(lined 4)')).message).toBe('Breakpoint: LINED, line 3 of its definition.');
    expect((await breakpoints.setLine('lined', line, false)).functions).toEqual([]);
    expect((await stop('(lined 4)')).message).toBe('not stopped: (4 8)');
  });

  it('A line stops again in a definition that was replayed, moves with its text, and is the call once its text is gone [issue 39.2]', async () => {
    await open();
    const defined = '(defun lined (x)\n  (list x\n    (* x 2)))';
    await test.say(defined);
    await breakpoints.setLine('lined', { line: 2, text: '(* x 2)))' }, true);
    await test.session.restart();
    expect(breakpoints.value.functions[0]!.there).toBe(false);
    await test.session.replay();
    expect((await stop('(lined 4)')).message).toBe('Breakpoint: LINED, line 3 of its definition.');
    await test.say(defined.replace('(list x', ';; a comment\n  (list x'));
    expect(await stop('(lined 4)')).toEqual({ message: 'Breakpoint: LINED, line 4 of its definition.', said: '(4 8)' });
    await test.say(defined.replace('(* x 2)', '(+ x 2)'));
    expect((await stop('(lined 4)')).message).toMatch(
      /^Breakpoint: LINED is called with 4\. .*no form to stop at on or after line 3 of LINED\.$/,
    );
    await breakpoints.set('lined', false);
    expect((await stop('(lined 4)')).message).toBe('not stopped: (4 6)');
    await kept.settled();
    expect(new KeptBreakpoints(config).of('/p')).toMatchObject({ functions: [], lines: {} });
  });

  const set = async (): Promise<void> => {
    await test.say(DEFINED);
    await breakpoints.set('cl-user::stopping', true);
    await breakpoints.onConditions(['odd']);
    expect(breakpoints.value).toEqual({ functions: [here('STOPPING')], conditions: [here('ODD')] });
  };

  it.each([
    ['was killed', () => process.kill(test.session.view().pid!, 'SIGKILL')],
    ['is restarted', () => test.session.restart()],
    ['is reset', () => test.session.reset(PERSON)],
    ['exits', () => test.say('(sb-ext:exit :code 3 :abort t)')],
  ])(
    'The breakpoints wait when the image %s, and stop code as soon as it is loaded again [issue 11.3]',
    async (_how, end) => {
      await open();
      await set();
      const lost = become({ functions: [waiting('STOPPING')], conditions: [waiting('ODD')] });
      await end();
      await lost;
      // The breakpoint already works in the first evaluation after the start, which also defines the function.
      const first = await stop(`(progn (eval (quote ${DEFINED})) (stopping 4))`);
      expect(first).toEqual({ message: 'Breakpoint: STOPPING is called with 4.', said: '8' });
      expect(breakpoints.value).toEqual({ functions: [here('STOPPING')], conditions: [here('ODD')] });
      expect((await stop("(progn (signal 'odd) :on)")).said).toBe(':ON');
    },
  );

  it('The breakpoints stay with a checkpoint that is gone back to, whatever was set and cleared since [issue 11.3]', async () => {
    await open('/p', { checkpoints: true });
    await test.say('(progn (defun early (x) x) (defun late (x) x))');
    await breakpoints.set('early', true);
    const { id } = await test.session.checkpoint('before', PERSON);
    await breakpoints.set('early', false);
    await breakpoints.set('late', true);
    await test.session.rewind(id, PERSON);
    await become({ functions: [here('LATE')], conditions: [] });
    expect((await stop('(list (early 1))')).message).toBe('not stopped: (1)');
    expect((await stop('(list (late 1))')).message).toBe('Breakpoint: LATE is called with 1.');
  });

  it('A saved world has the breakpoints of the folder when it is opened, not those that it was saved with [issue 11.3]', async () => {
    await open();
    await set();
    await test.session.saveWorld('old');
    await breakpoints.set('stopping', false);
    await breakpoints.onConditions([]);
    await test.session.openWorld('old');
    expect((await stop("(list (stopping 1) (signal 'odd))")).message).toBe('not stopped: (2 NIL)');
  });

  it('A breakpoint on what no image has yet is taken without starting one, waits, and can be removed [issue 11.3]', async () => {
    await open();
    await breakpoints.set('Shop::Total', true);
    await breakpoints.set('(setf cl-user::rate)', true);
    await breakpoints.set('|odd Name|', true);
    expect(test.session.view().pid).toBeNull();
    expect(breakpoints.value.functions).toEqual(['SHOP::TOTAL', '(SETF RATE)', '|odd Name|'].map(waiting));
    await test.say('(defpackage :shop (:use :cl) (:export #:total))');
    await test.say('(defun shop:total (x) x)');
    await test.say('(defun |odd Name| () 1)');
    await become({
      functions: [here('SHOP::TOTAL', 'SHOP:TOTAL'), waiting('(SETF RATE)'), here('|odd Name|')],
      conditions: [],
    });
    // Setting the breakpoint under the function's other name adds no second one, and either name removes it.
    await breakpoints.set('shop:total', true);
    expect(breakpoints.value.functions).toHaveLength(3);
    await breakpoints.set('shop:total', false);
    await breakpoints.set('(setf rate)', false);
    expect(breakpoints.value.functions).toEqual([here('|odd Name|')]);
    expect((await stop('(list (shop:total 3))')).message).toBe('not stopped: (3)');
    await expect(breakpoints.set('defun', true)).rejects.toThrow(
      /^DEFUN is a macro or a special operator, not a function\.$/,
    );
    await expect(breakpoints.set('car', true)).rejects.toThrow(/^CAR cannot have a breakpoint, because Lisp/);
    await expect(breakpoints.onConditions(['integer'])).rejects.toThrow(/^INTEGER is not a condition type\.$/);
    expect(kept.of('/p')).toMatchObject({ functions: ['|odd Name|'], conditions: [] });
  });

  it('The breakpoints of another folder take the place of those that were, in the image too, and both are kept [issue 11.3]', async () => {
    await open();
    await set();
    await test.say('(defun others (x) x)');
    breakpoints.openFolder('/other');
    expect(breakpoints.value).toEqual({ functions: [], conditions: [] });
    await breakpoints.set('others', true);
    expect((await stop('(list (stopping 1))')).message).toBe('not stopped: (2)');
    expect((await stop('(list (others 1))')).message).toBe('Breakpoint: OTHERS is called with 1.');
    breakpoints.openFolder('/p');
    await become({ functions: [here('STOPPING')], conditions: [here('ODD')] });
    await kept.settled();
    const next = new KeptBreakpoints(config);
    expect([next.of('/p'), next.of('/other'), next.of(null)]).toMatchObject([
      { functions: ['STOPPING'], conditions: ['ODD'] },
      { functions: ['OTHERS'], conditions: [] },
      { functions: [], conditions: [] },
    ]);
  });
});

describe('the conditions of breakpoints', () => {
  afterEach(async () => {
    await test.close();
    await kept.settled();
  });

  const open = async (): Promise<void> => {
    test = await openTestSession();
    kept = new KeptBreakpoints(config);
    breakpoints = new Breakpoints(test.session, kept, '/p');
  };

  it('A condition stays with its breakpoint over a restart of the image and another run, until it is cleared [issue 11.3]', async () => {
    await open();
    await test.say(DEFINED);
    await breakpoints.stopWhen('cl-user::stopping', '(> x 3)');
    expect(breakpoints.value.functions).toEqual([{ ...here('STOPPING'), when: '(> x 3)' }]);
    expect((await stop('(list (stopping 3))')).message).toBe('not stopped: (6)');
    expect(await stop('(list (stopping 4))')).toEqual({
      message: 'Breakpoint: STOPPING is called with 4.',
      said: '(8)',
    });
    // If the breakpoint is set again, it keeps its condition.
    await breakpoints.set('stopping', true);
    await test.session.restart();
    await test.say(DEFINED);
    expect((await stop('(list (stopping 3))')).message).toBe('not stopped: (6)');
    expect((await stop('(list (stopping 4))')).message).toBe('Breakpoint: STOPPING is called with 4.');
    await kept.settled();
    expect(new KeptBreakpoints(config).of('/p').when).toEqual({ STOPPING: '(> x 3)' });
    await breakpoints.stopWhen('stopping', null);
    expect(breakpoints.value.functions).toEqual([here('STOPPING')]);
    expect((await stop('(list (stopping 3))')).message).toBe('Breakpoint: STOPPING is called with 3.');
    // If the breakpoint is removed, its condition is removed too.
    await breakpoints.stopWhen('stopping', '(> x 3)');
    await breakpoints.set('stopping', false);
    await breakpoints.set('stopping', true);
    expect(breakpoints.value.functions).toEqual([here('STOPPING')]);
    expect(kept.of('/p').when).toEqual({});
  });

  it('A condition that cannot be read changes nothing, with an image and without one [issue 11.3]', async () => {
    await open();
    await breakpoints.stopWhen('stopping', '(> x 3)');
    for (const [form, words] of [
      ['(> x 3', /cannot be read\. .*\(> x 3/s],
      ['(> x 3))', /cannot be read/],
      ['x 3', /cannot be read\. The condition must be a single form\./],
    ] as const)
      await expect(breakpoints.stopWhen('stopping', form)).rejects.toThrow(words);
    expect(test.session.view().pid).toBeNull();
    await test.say(DEFINED);
    await expect(breakpoints.stopWhen('stopping', '(> x (nowhere:y))')).rejects.toThrow(
      'The condition cannot be read. Package NOWHERE does not exist.',
    );
    await expect(breakpoints.stopWhen('other', '(')).rejects.toThrow('cannot be read');
    await expect(breakpoints.stopWhen('defun', 't')).rejects.toThrow(
      'is a macro or a special operator, not a function',
    );
    expect(breakpoints.value.functions).toEqual([{ ...here('STOPPING'), when: '(> x 3)' }]);
  });

  it('A breakpoint that was wanted before it came to be has its condition by each of its names [issue 11.3]', async () => {
    await open();
    await breakpoints.stopWhen('shop::total', '(eql x 1)');
    await test.say('(defpackage :shop (:use :cl) (:export #:total))');
    await test.say('(let ((*package* (find-package :shop))) (eval (read-from-string "(defun total (x) x)")))');
    expect((await stop('(list (shop:total 2))')).message).toBe('not stopped: (2)');
    await breakpoints.stopWhen('shop:total', '(eql x 2)');
    expect(breakpoints.value.functions).toEqual([{ ...here('SHOP::TOTAL', 'SHOP:TOTAL'), when: '(eql x 2)' }]);
    expect((await stop('(list (shop:total 2))')).message).toBe('Breakpoint: SHOP:TOTAL is called with 2.');
  });
});

describe('breakpoints that are kept', () => {
  let bench: TestWorkbench | null = null;

  afterEach(async () => {
    await bench?.close();
    bench = null;
  });

  it.each([
    ['is torn', '{"version":1,"folders":[{"fol', []],
    ['is empty', '', []],
    ['is of another version', '{"version":2,"folders":[]}', []],
    [
      'has an element that is none',
      '{"version":1,"folders":[{"folder":null,"functions":["GOOD"],"conditions":[]},{"folder":7,"functions":"no"}]}',
      ['GOOD'],
    ],
  ])(
    'A file of breakpoints that %s hinders nothing: it is told and set aside, and new ones are kept [issue 11.3]',
    async (_how, text, used) => {
      bench = await openTestWorkbench({ shared: true, stored: { 'breakpoints.json': text } });
      const { workbench, home } = bench;
      expect(workbench.problems.join(' ')).toMatch(/breakpoints\.json is damaged/);
      await workbench.breakpoints.set('later', true);
      await workbench.breakpoints.set('gone', true);
      await workbench.breakpoints.set('gone', false);
      expect(workbench.breakpoints.value.functions).toEqual([waiting('LATER')]);
      const again = new KeptBreakpoints(home);
      await expect.poll(() => new KeptBreakpoints(home).of(bench!.project).functions).toEqual(['LATER']);
      expect(again.of(null).functions).toEqual(used);
    },
  );

  it('A file from before there were conditions is read [issue 11.3]', async () => {
    const old = '{"version":1,"folders":[{"folder":null,"functions":["OLD"],"conditions":["WARNING"]}]}';
    await writeFile(path.join(config, 'breakpoints.json'), old);
    const store = new KeptBreakpoints(config);
    expect(store.kept.problem).toBeNull();
    expect(store.of(null)).toEqual({ functions: ['OLD'], conditions: ['WARNING'], when: {}, lines: {} });
  });

  it('A file of breakpoints that cannot be read is told, and breakpoints hold for this run [issue 11.3]', async () => {
    const file = path.join(config, 'breakpoints.json');
    await mkdir(file);
    test = await openTestSession();
    kept = new KeptBreakpoints(config);
    breakpoints = new Breakpoints(test.session, kept, '/p');
    expect(kept.kept.problem).toMatch(/Your breakpoints cannot be read/);
    await test.say(DEFINED);
    await breakpoints.set('stopping', true);
    expect((await stop('(list (stopping 1))')).message).toBe('Breakpoint: STOPPING is called with 1.');
    expect(kept.kept.failure).toMatch(/The file is not overwritten/);
    await test.close();
  });

  it('The kept breakpoints are a readable file of names by folder [issue 11.3]', async () => {
    const store = new KeptBreakpoints(config);
    store.keep('/p', {
      functions: ['SHOP::TOTAL'],
      conditions: ['WARNING'],
      when: { 'SHOP::TOTAL': '(> n 3)' },
      lines: { 'SHOP::TOTAL': [{ line: 3, text: '(list n)' }] },
    });
    store.keep('/q', { functions: ['A'], conditions: [], when: {}, lines: {} });
    store.keep('/q', { functions: [], conditions: [], when: {}, lines: {} });
    store.keep('/r', { functions: ['A'], conditions: [], when: {}, lines: {} });
    await store.settled();
    expect(JSON.parse(await readFile(path.join(config, 'breakpoints.json'), 'utf8'))).toEqual({
      version: 1,
      folders: [
        {
          folder: '/p',
          functions: ['SHOP::TOTAL'],
          conditions: ['WARNING'],
          when: { 'SHOP::TOTAL': '(> n 3)' },
          lines: { 'SHOP::TOTAL': [{ line: 3, text: '(list n)' }] },
        },
        { folder: '/r', functions: ['A'], conditions: [] },
      ],
    });
  });
});
