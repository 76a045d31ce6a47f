import { writeFile } from 'node:fs/promises';
import path from 'node:path';
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

afterEach(() => client.call('invoke-restart', { restart: 'ABORT' })); // aborts errors that still wait in the debugger

async function hold(code = '(outer 7)'): Promise<string> {
  await client.evaluate(code);
  return (await client.call('invoke-restart', { restart: 'RETRY' })).text;
}

async function frameNumber(name: string): Promise<number> {
  return Number(new RegExp(`(\\d+): \\(${name} `).exec((await client.call('invoke-restart')).text)![1]);
}

describe('errors as a client works on them', () => {
  it('No evaluation is suspended by itself: RETRY is the one restart [D6]', async () => {
    expect((await client.call('invoke-restart')).text).toBe('No error so far in this session.');
    await client.evaluate('(progn (incf *runs*) (outer 7))');
    expect((await client.call('invoke-restart')).text).toBe(
      'SIMPLE-ERROR: odd 7\nThe error was reported and its stack unwound. One restart is still available:\n- 0: [RETRY] Evaluate the code again, with all its effects, and wait in the debugger at the error.',
    );
    expect(bench.workbench.session.debuggers).toEqual([]);
    expect(await client.evaluate('*runs*')).toBe('=> 1');
  });

  it.each([
    ['an undefined function', '(never-defined-a 1)', 'UNDEFINED-FUNCTION'],
    [
      'one that is called in a function',
      '(progn (defun calls-undefined () (list (never-defined-b))) (calls-undefined))',
      'UNDEFINED-FUNCTION',
    ],
    ['one that FUNCALL finds', "(funcall 'never-defined-c)", 'UNDEFINED-FUNCTION'],
    ['arithmetic in assembly routines', '(+ 1 (first (list "a")))', 'TYPE-ERROR'],
    ['too few arguments', '(funcall (function inner))', 'PROGRAM-ERROR'],
    ['what is no function', '(funcall (first (list 3)))', 'TYPE-ERROR'],
    ['an unbound variable', '(list never-bound)', 'UNBOUND-VARIABLE'],
  ])("The error of %s is told again and suspended, whatever SBCL's frames [D6]", async (_what, code, type) => {
    await client.evaluate(code);
    expect((await client.call('get-last-error')).text).toContain(type);
    expect((await client.call('invoke-restart', { restart: 'RETRY' })).text).toMatch(
      new RegExp(`^Held in the debugger: [^\n]*${type}`),
    );
  });

  it('Frames of code from a file tell file and line, suspended or not [D6]', async () => {
    const file = path.join(bench.project, 'failing.lisp');
    await writeFile(
      file,
      '(in-package :cl-user)\n\n(defun file-inner (n)\n  (let ((m (* n 2)))\n    (list (error "file ~A" m) m)))\n(defun file-outer (n)\n  (list n\n        (file-inner n)))\n',
    );
    await client.call('load-file', { path: file });
    const inner = '(FILE-INNER 4) at failing.lisp:5';
    const outer = '(FILE-OUTER 4) at failing.lisp:8';
    const failed = await client.evaluate('(list (file-outer 4))');
    expect(failed).toContain('(FILE-INNER 4)');
    const last = (await client.call('get-last-error')).text;
    expect(last).toContain(`0: ${inner}\n1: ${outer}\n`);
    expect(await hold('(list (file-outer 4))')).toMatch(/\d+: \(FILE-INNER 4\) at .*failing\.lisp:5\n/);
    const frames = (await client.call('invoke-restart')).text;
    expect(frames).toContain(`: ${inner}\n`);
    expect(frames).toContain(`: ${outer}\n`);
    const locals = (await client.call('frame-locals', { frame: await frameNumber('FILE-INNER') })).text;
    expect(locals).toMatch(/^\d+: \(FILE-INNER 4\) at .*failing\.lisp:5\n/);
  });

  it('RETRY suspends the error with its restarts and frames [D6]', async () => {
    expect(await hold('(progn (print :printed) (outer 7))')).toMatch(
      /^Held in the debugger: SIMPLE-ERROR: odd 7\n\n\[Restarts\]\n- 0: \[USE-HALF\] Use the half\.\n- 1: \[USE-VALUE\] Use another\. \(takes value\)\n- 2: \[ABORT\] .*\n- \[RETRY\] .*\n\n\[Frames\]\n\d+: \(INNER 7\)\n\d+: \(OUTER 7\)\n[\s\S]*\n\n\[Output\]\n\s*:PRINTED/,
    );
  });

  it('A held error offers to be evaluated again beside its own restarts [issue 35.1]', async () => {
    await client.evaluate('(progn (defvar *tries* 0) (setf *tries* 0))');
    const held = await client.call('evaluate-lisp', { code: '(/ 8 (incf *tries*) (1- *tries*))', hold: true });
    expect(held.text).toMatch(
      /\[Restarts\]\n- 0: \[ABORT\] .*\n- \[RETRY\] Evaluate the code again, with all its effects, and wait in the debugger at the error\.\n/,
    );
    expect((await client.call('invoke-restart', { restart: 'RETRY' })).text).toMatch(
      /^It did not fail this time\.\n=> 4/,
    );
  });

  it('The frames of a deep recursion are folded, with how many there are and who began it [issue 35.1]', async () => {
    await client.evaluate(
      '(progn (defun recur (n) (if (= n 0) (error "deep") (list (recur (1- n))))) (defun recur-from (n) (list (recur n))))',
    );
    const told = (await client.call('evaluate-lisp', { code: '(recur-from 3000)' })).text;
    expect(told).toMatch(
      /\n0: \(RECUR 0\)\n1: \(RECUR 1\)\n2: \(RECUR 2\)\n… 2998 more like this\n3001: \(RECUR-FROM 3000\)\n3002: \(EVAL \(RECUR-FROM 3000\)\)$/,
    );
    await client.evaluate('(defun endless (n) (list (endless n)))');
    const exhausted = (await client.call('evaluate-lisp', { code: '(list (endless 1))' })).text;
    const [, more] = /\n2: \(ENDLESS 1\)\n… (?:at least )?(\d+) more like this/.exec(exhausted)!;
    expect(Number(more)).toBeGreaterThan(900);
    expect((await client.call('get-last-error')).text).toContain(`${more} more like this`);
  });

  it('A restart lets the code go on, and the answer is what came of it [D6]', async () => {
    await hold();
    expect((await client.call('invoke-restart', { restart: 'use-value', arguments: ['(* 6 7)'] })).text).toBe(
      '=> (:GOT 42)',
    );
    await hold();
    expect((await client.call('invoke-restart', { restart: 0 })).text).toBe('=> (:GOT 7/2)');
    expect(bench.workbench.session.debuggers).toEqual([]);
    await hold();
    expect((await client.call('invoke-restart', { restart: 'ABORT' })).text).toBe('The evaluation was aborted.');
  });

  it('A second error after a restart is told, and can be suspended in turn [D6]', async () => {
    await hold('(progn (outer 7) (error "second"))');
    expect(await client.call('invoke-restart', { restart: 'USE-HALF' })).toMatchObject({
      isError: true,
      text: 'Tool error: second',
    });
    expect((await client.call('invoke-restart')).text).toContain('[RETRY]');
  });

  it("A restart's argument that fails leaves the debugger as it is [D6]", async () => {
    await hold();
    expect(
      await client.call('invoke-restart', { restart: 'USE-VALUE', arguments: ['(error "inside")'] }),
    ).toMatchObject({
      isError: true,
      text: 'Tool error: inside',
    });
    expect((await client.call('invoke-restart')).text).toMatch(/^Held/);
  });

  it('The tool frame-locals shows the variables of a frame, which can be inspected [D6]', async () => {
    await hold();
    const frame = await frameNumber('INNER');
    const { text } = await client.call('frame-locals', { frame });
    expect(text).toMatch(/^\d+: \(INNER 7\)\n[\s\S]*- N = 7 \(FIXNUM, handle \d+\)/);
    const handle = Number(/N = 7 \(FIXNUM, handle (\d+)\)/.exec(text)![1]);
    expect((await client.call('inspect-object', { handle })).text).toContain('Printed: 7');
  });

  it('The tool eval-in-frame evaluates in a frame, and an error there changes nothing [D6]', async () => {
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

  it('An endless form in a frame can be interrupted [K6, D6]', async () => {
    await hold();
    const frame = await frameNumber('INNER');
    const heard = new Promise((resolve) => {
      const stop = bench.workbench.session.events.on('output', () => resolve(stop()));
    });
    const endless = client.call('eval-in-frame', { frame, code: '(progn (print :looping) (finish-output) (loop))' });
    await heard;
    expect((await client.call('interrupt-evaluation')).isError).toBe(false);
    expect((await endless).isError).toBe(true);
    expect((await client.call('invoke-restart')).text).toMatch(/^Held/);
  });

  it('Everybody evaluates while an error is held, its own connection too, which can define what was missing [K6, D6, issue 35.1]', async () => {
    const failed = await client.call('evaluate-lisp', { code: '(list (missing-one 20))', hold: true });
    expect(failed).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Held in the debugger: .*MISSING-ONE/),
    });
    expect(await (await bench.connect()).evaluate('(+ 1 2 3)')).toBe('=> 6');
    expect(await client.evaluate('(defun missing-one (x) (* 2 x))')).toBe('=> MISSING-ONE');
    expect((await client.call('compile-form', { form: '(defun missing-two () 2)' })).isError).toBe(false);
    expect((await client.call('time-execution', { code: '1', runs: 1 })).isError).toBe(false);
    expect((await client.call('invoke-restart', { restart: 'CONTINUE' })).text).toBe('=> (40)');
    expect(bench.workbench.session.debuggers).toEqual([]);
  });

  it('The code is evaluated once where its error is held, and another error that is held says that it ended the first [issue 35.1]', async () => {
    await client.evaluate('(defvar *stock* 5)');
    await client.call('evaluate-lisp', { code: '(progn (incf *stock*) (outer 7))', hold: true });
    const second = await client.call('evaluate-lisp', { code: '(progn (incf *stock*) (outer 9))', hold: true });
    expect(second.text).toMatch(/odd 9[\s\S]*The previously held error was released\.$/);
    expect(bench.workbench.session.debuggers).toHaveLength(1);
    expect((await client.call('invoke-restart', { restart: 'USE-HALF' })).text).toBe('=> (:GOT 9/2)');
    expect(await client.evaluate('*stock*')).toBe('=> 7');
  });

  it('A frame has the number that it has in the backtrace of its error [issue 35.1]', async () => {
    const numbered = (text: string) => /\d+: \(OUTER 7\)/.exec(text)![0];
    const told = (await client.call('evaluate-lisp', { code: '(outer 7)' })).text;
    expect(numbered(await hold())).toBe(numbered(told));
  });

  it('The code of a frame is read in the package of its function, and the variables are named where one is unbound [issue 35.1]', async () => {
    await client.evaluate('(defpackage :larder (:use :cl))');
    const code = '(defun take (store) (declare (optimize debug)) (error "empty ~A" store))';
    await client.call('evaluate-lisp', { code, package: 'LARDER' });
    await client.call('evaluate-lisp', { code: '(larder::take 3)', hold: true });
    const frame = await frameNumber('LARDER::TAKE');
    expect((await client.call('eval-in-frame', { frame, code: 'store' })).text).toBe('=> 3');
    expect((await client.call('eval-in-frame', { frame, code: 'stor' })).text).toMatch(
      /LARDER::STOR is unbound\.\nVariables of the frame: LARDER::STORE\.$/,
    );
  });

  it('A call that runs longer than its timeout is interrupted and says so [issue 35.1]', async () => {
    expect(await client.call('evaluate-lisp', { code: '(loop)', timeout: 1 })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Interrupted after 1 s, the timeout of this call\.\n/),
    });
    expect((await client.call('time-execution', { code: '(loop)', runs: 1, timeout: 1 })).text).toMatch(/^Interrupted/);
    expect(await client.evaluate('(+ 1 1)')).toBe('=> 2');
  });

  it('A call that its timeout ends says where its code was, and so does the last error [issue 35.1]', async () => {
    await client.evaluate('(progn (defun spin (n) (loop (incf n) (sleep 0.01))) (defun spinner (k) (list (spin k))))');
    const { text } = await client.call('evaluate-lisp', { code: '(spinner 1)', timeout: 1 });
    const frames = /\[Backtrace\]\n0: \(SPIN \d+\)\n1: \(SPINNER 1\)\n2: \(EVAL \(SPINNER 1\)\)/;
    expect(text).toMatch(/^Interrupted after 1 s[^\n]*\n\[ERROR\] SB-SYS:INTERACTIVE-INTERRUPT\n/);
    expect(text).toMatch(frames);
    expect((await client.call('get-last-error')).text).toMatch(frames);
    const timed = await client.call('time-execution', { code: '(spinner 4)', runs: 1, timeout: 1 });
    expect(timed.text).toMatch(/\n0: \(SPIN \d+\)\n1: \(SPINNER 4\)/);
  });

  it('With hold, a call that its timeout ends waits in the debugger where its code was, and goes on from there [issue 35.1]', async () => {
    await client.evaluate(
      '(progn (defvar *go* nil) (setf *go* nil) (defun await-go (n) (loop until *go* do (sleep 0.01)) (list n *go*)))',
    );
    const held = await client.call('evaluate-lisp', { code: '(list (await-go 3))', timeout: 1, hold: true });
    expect(held).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /^Interrupted after 1 s[^\n]*\nHeld in the debugger: INTERRUPTED: [\s\S]*\n- 0: \[CONTINUE\] Continue\.\n- 1: \[ABORT\] [\s\S]*\n0: \(AWAIT-GO 3\)\n/,
      ),
    });
    expect((await client.call('frame-locals', { frame: 0 })).text).toContain('N = 3');
    expect((await client.call('eval-in-frame', { frame: 0, code: '(setf *go* (list 7))' })).text).toBe('=> (7)');
    expect((await client.call('invoke-restart', { restart: 'CONTINUE' })).text).toBe('=> ((3 (7)))');
    expect(bench.workbench.session.debuggers).toEqual([]);
  });

  it('With hold, an evaluation that its agent interrupts waits in the debugger [issue 35.1]', async () => {
    const heard = new Promise((resolve) => {
      const stop = bench.workbench.session.events.on('output', () => resolve(stop()));
    });
    const endless = client.call('evaluate-lisp', {
      code: '(progn (print :looping) (finish-output) (loop))',
      hold: true,
    });
    await heard;
    await client.call('interrupt-evaluation');
    expect((await endless).text).toMatch(/^Held in the debugger: INTERRUPTED/);
    expect((await client.call('invoke-restart', { restart: 'ABORT' })).text).toBe('The evaluation was aborted.');
  });

  it('A suspended evaluation belongs to its connection, and goes with it [K6, D6]', async () => {
    const leaver = await bench.connect();
    await leaver.evaluate('(outer 7)');
    await leaver.call('invoke-restart', { restart: 'RETRY' });
    expect((await client.call('frame-locals', { frame: 0 })).text).toMatch(/^No error is held in the debugger/);
    expect(bench.workbench.session.debuggers).toHaveLength(1);
    await (leaver.client.transport as StreamableHTTPClientTransport).terminateSession();
    await expect.poll(() => bench.workbench.session.debuggers).toEqual([]);
  });

  it('Code that does not fail again under RETRY is told so [D6]', async () => {
    await client.evaluate('(defvar *fails* t)');
    await client.evaluate('(if *fails* (progn (setf *fails* nil) (error "once")) :well)');
    expect((await client.call('invoke-restart', { restart: 'retry' })).text).toBe(
      'It did not fail this time.\n=> :WELL',
    );
  });

  it('RETRY evaluates in the package that the code was given [D6]', async () => {
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
      /^There is no restart USE-HALV\. Did you mean USE-HALF\?\n- 0: \[USE-HALF\]/,
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
  ])('A debugger tool fails for %s [D6]', async (_, tool, args, answer) => {
    await hold();
    expect(await client.call(tool, args)).toMatchObject({
      isError: true,
      text: expect.stringMatching(answer) as unknown,
    });
    expect((await client.call('invoke-restart')).text).toMatch(/^Held/);
  });

  it('A restart of another package is chosen by its bare name [D6]', async () => {
    await client.evaluate('(defpackage :depot (:use :cl))');
    await hold('(restart-case (error "empty") (depot::order-anyway () :ordered))');
    expect((await client.call('invoke-restart', { restart: 'order-anyway' })).text).toBe('=> :ORDERED');
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['invoke-restart', { restart: 'ABORT' }, /^No error is held/],
    ['invoke-restart', { restart: 'RETRY' }, /^There is no failed evaluation of this connection to try again\.$/],
    ['frame-locals', { frame: 0 }, /^No error is held in the debugger\. Evaluate with "hold": true/],
    ['eval-in-frame', { frame: 0, code: '1' }, /^No error is held/],
  ])('A debugger tool says what to do where nothing is suspended: %s [D6]', async (tool, args, answer) => {
    expect(await client.call(tool, args)).toMatchObject({
      isError: true,
      text: expect.stringMatching(answer) as unknown,
    });
  });

  it('A restart is given as a number or a name [T11, D6]', async () => {
    await expect(client.call('invoke-restart', { restart: [1] })).rejects.toThrow(
      'Invalid arguments for invoke-restart: restart: must be a number or a name',
    );
  });
});
