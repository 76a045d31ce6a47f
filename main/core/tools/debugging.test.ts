import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  const first = await bench.connect();
  await first.evaluate(`
    (defun inner (n) (let ((half (/ n 2))) (restart-case (error "odd ~A" n)
      (use-half () :report "Use the half." half) (use-value (v) :report "Use another." v))))
    (defun outer (n) (list :got (inner n)))
    (defvar *runs* 0)`);
}, 120_000);

afterAll(() => bench.close());

beforeEach(async () => {
  client = await bench.connect();
});

afterEach(() => client.evaluate('nil')); // gives up what is held

async function hold(code = '(outer 7)'): Promise<string> {
  await client.evaluate(code);
  return (await client.call('invoke-restart', { restart: 'RETRY' })).text;
}

async function frameNumber(name: string): Promise<number> {
  return Number(new RegExp(`(\\d+): \\(${name} `).exec((await client.call('list-restarts')).text)![1]);
}

describe('D6 errors as a client works on them', () => {
  it('nothing is held by itself: RETRY is the one restart', async () => {
    expect((await client.call('list-restarts')).text).toBe('No error so far in this session.');
    await client.evaluate('(progn (incf *runs*) (outer 7))');
    expect((await client.call('list-restarts')).text).toBe(
      'SIMPLE-ERROR: odd 7\nIt was told and unwound. One restart is left:\n- 0: [RETRY] Evaluate the code again, with all its effects, and wait in the debugger at the error.',
    );
    expect(bench.workbench.session.debuggers).toEqual([]);
    expect(await client.evaluate('*runs*')).toBe('=> 1');
  });

  it('RETRY holds the error with its restarts and frames', async () => {
    expect(await hold('(progn (print :printed) (outer 7))')).toMatch(
      /^Held in the debugger: SIMPLE-ERROR: odd 7\n\n\[Restarts\]\n- 0: \[USE-HALF\] Use the half\.\n- 1: \[USE-VALUE\] Use another\. \(takes value\)\n- 2: \[ABORT\] .*\n\n\[Frames\]\n\d+: \(INNER 7\)\n\d+: \(OUTER 7\)\n[\s\S]*\n\n\[Output\]\n\s*:PRINTED/,
    );
    const { structuredContent } = await client.client.callTool({ name: 'list-restarts' });
    expect(structuredContent).toMatchObject({
      held: true,
      type: 'SIMPLE-ERROR',
      restarts: [{ name: 'USE-HALF' }, {}, {}],
    });
  });

  it('a restart lets the code go on, and the answer is what came of it', async () => {
    await hold();
    expect((await client.call('invoke-restart', { restart: 'use-value', arguments: ['(* 6 7)'] })).text).toBe(
      '=> (:GOT 42)',
    );
    await hold();
    expect((await client.call('invoke-restart', { restart: 0 })).text).toBe('=> (:GOT 7/2)');
    expect(bench.workbench.session.debuggers).toEqual([]);
    await hold();
    expect((await client.call('invoke-restart', { restart: 'ABORT' })).text).toBe('The evaluation was given up.');
  });

  it('a second error after a restart is told, and can be held in turn', async () => {
    await hold('(progn (outer 7) (error "second"))');
    expect(await client.call('invoke-restart', { restart: 'USE-HALF' })).toMatchObject({
      isError: true,
      text: 'Tool error: second',
    });
    expect((await client.call('list-restarts')).text).toContain('[RETRY]');
  });

  it('an argument that fails leaves the debugger as it is', async () => {
    await hold();
    expect(
      await client.call('invoke-restart', { restart: 'USE-VALUE', arguments: ['(error "inside")'] }),
    ).toMatchObject({
      isError: true,
      text: 'Tool error: inside',
    });
    expect((await client.call('list-restarts')).text).toMatch(/^Held/);
  });

  it('shows the variables of a frame, which can be inspected', async () => {
    await hold();
    const frame = await frameNumber('INNER');
    const { text } = await client.call('frame-locals', { frame });
    expect(text).toMatch(/^\d+: \(INNER 7\)\n[\s\S]*- N = 7 \(FIXNUM, handle \d+\)/);
    const handle = Number(/N = 7 \(FIXNUM, handle (\d+)\)/.exec(text)![1]);
    expect((await client.call('inspect-object', { handle })).text).toContain('Printed: 7');
  });

  it('evaluates in a frame; an error there changes nothing', async () => {
    await hold();
    const frame = await frameNumber('INNER');
    expect((await client.call('eval-in-frame', { frame, code: '(list n (print (* 2 n)))' })).text).toBe(
      '=> (7 14)\n\n[Output]\n\n14',
    );
    expect(await client.call('eval-in-frame', { frame, code: '(error "in frame")' })).toMatchObject({
      isError: true,
      text: 'Tool error: in frame',
    });
    expect((await client.call('invoke-restart', { restart: 0 })).text).toBe('=> (:GOT 7/2)');
  });

  it('K6 an endless form in a frame can be interrupted', async () => {
    await hold();
    const frame = await frameNumber('INNER');
    const heard = new Promise((resolve) => {
      const stop = bench.workbench.session.events.on('output', () => resolve(stop()));
    });
    const endless = client.call('eval-in-frame', { frame, code: '(progn (print :looping) (finish-output) (loop))' });
    await heard;
    expect((await client.call('interrupt-evaluation')).isError).toBe(false);
    expect((await endless).isError).toBe(true);
    expect((await client.call('list-restarts')).text).toMatch(/^Held/);
  });

  it('K6 others evaluate meanwhile, and the next evaluation of the connection gives it up', async () => {
    await hold();
    expect(await (await bench.connect()).evaluate('(+ 1 2 3)')).toBe('=> 6');
    expect(bench.workbench.session.debuggers).toHaveLength(1);
    expect(await client.evaluate('(+ 1 1)')).toBe('=> 2');
    expect(bench.workbench.session.debuggers).toEqual([]);
    await hold();
    expect((await client.call('time-execution', { code: '1', runs: 1 })).isError).toBe(false);
    expect(bench.workbench.session.debuggers).toEqual([]);
  });

  it('K6 what is held belongs to its connection, and goes with it', async () => {
    const leaver = await bench.connect();
    await leaver.evaluate('(outer 7)');
    await leaver.call('invoke-restart', { restart: 'RETRY' });
    expect((await client.call('frame-locals', { frame: 0 })).text).toMatch(/^No error is held in the debugger/);
    expect(bench.workbench.session.debuggers).toHaveLength(1);
    await (leaver.client.transport as StreamableHTTPClientTransport).terminateSession();
    await expect.poll(() => bench.workbench.session.debuggers).toEqual([]);
  });

  it('code that does not fail again is told so', async () => {
    await client.evaluate('(defvar *fails* t)');
    await client.evaluate('(if *fails* (progn (setf *fails* nil) (error "once")) :well)');
    expect((await client.call('invoke-restart', { restart: 'retry' })).text).toBe(
      'It did not fail this time.\n=> :WELL',
    );
  });

  it('RETRY evaluates in the package that the code was given', async () => {
    await client.call('eval-form', { form: '(error "in ~A" (package-name *package*))', package: 'keyword' });
    await client.evaluate('1');
    await client.evaluate('(error "x ~A" (package-name *package*))', { package: 'cl' });
    expect((await client.call('invoke-restart', { restart: 0 })).text).toContain('x COMMON-LISP');
  });

  it.each<[string, string, Record<string, unknown>, RegExp]>([
    [
      'a restart that is not there',
      'invoke-restart',
      { restart: 'USE-HALV' },
      /^There is no restart USE-HALV\. Near names: USE-HALF\.\n- 0: \[USE-HALF\]/,
    ],
    ['a number that is not there', 'invoke-restart', { restart: 17 }, /^There is no restart 17\.\n- 0/],
    [
      'a frame that is not there',
      'frame-locals',
      { frame: 4711 },
      /^There is no frame 4711\. Frames:\n\d+: \(INNER 7\)/,
    ],
    ['code in a frame that is not there', 'eval-in-frame', { frame: 4711, code: '1' }, /^There is no frame 4711/],
    ['a form that cannot be read', 'eval-in-frame', { frame: 0, code: '(list' }, /^Tool error: .*end of file/],
    [
      'an argument that is missing',
      'invoke-restart',
      { restart: 'USE-VALUE' },
      /^Tool error: .*\nThis restart takes a value: give a form for it in arguments\.$/,
    ],
  ])('fails for %s', async (_, tool, args, answer) => {
    await hold();
    expect(await client.call(tool, args)).toMatchObject({
      isError: true,
      text: expect.stringMatching(answer) as unknown,
    });
    expect((await client.call('list-restarts')).text).toMatch(/^Held/);
  });

  it('a restart of another package is chosen by its bare name', async () => {
    await client.evaluate('(defpackage :depot (:use :cl))');
    await hold('(restart-case (error "empty") (depot::order-anyway () :ordered))');
    expect((await client.call('invoke-restart', { restart: 'order-anyway' })).text).toBe('=> :ORDERED');
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['invoke-restart', { restart: 'ABORT' }, /^No error is held/],
    ['invoke-restart', { restart: 'RETRY' }, /^There is no failed evaluation of this connection to try again\.$/],
    ['frame-locals', { frame: 0 }, /^No error is held in the debugger\. Take the restart RETRY/],
    ['eval-in-frame', { frame: 0, code: '1' }, /^No error is held/],
  ])('says what to do where nothing is held: %s', async (tool, args, answer) => {
    expect(await client.call(tool, args)).toMatchObject({
      isError: true,
      text: expect.stringMatching(answer) as unknown,
    });
  });

  it('T11 a restart is a number or a name', async () => {
    await expect(client.call('invoke-restart', { restart: [1] })).rejects.toThrow(
      'Invalid arguments for invoke-restart: restart: must be a number or a name',
    );
  });
});
