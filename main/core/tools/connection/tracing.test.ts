import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  const first = await bench.connect();
  await first.evaluate(`
    (defpackage :shop (:use :cl) (:export #:total))
    (defun shop:total (n) (if (plusp n) (+ n (shop:total (1- n))) 0))
    (defun failing (x) (error "no ~A" x))
    (defgeneric area (x)) (defmethod area ((x integer)) (* x x))
    (defvar *price* 1) (defun (setf price) (new) (setf *price* new))
    (defclass rude () ()) (defmethod print-object ((x rude) s) (loop))
    (defun gentle (x) x)
    (defmacro mac () 1)`);
}, 120_000);

afterAll(() => bench.close());

beforeEach(async () => {
  client = await bench.connect();
});

const trace = async (action: string, args: Record<string, unknown> = {}) =>
  (await client.call('trace-function', { action, ...args })).text;
const traced = async () => (await bench.workbench.session.lookUp('traced', {})).traced;

describe('trace-function', () => {
  it('The tool trace-function collects the calls of a function until it is stopped [D11]', async () => {
    expect(await trace('start', { function: 'shop:total' })).toMatch(/^Traced: SHOP:TOTAL\n/);
    expect(await client.evaluate('(shop:total 2)')).toBe('=> 3');
    expect(await trace('report')).toBe(
      [
        'Traced: SHOP:TOTAL; 6 entries, 0 to 5 shown',
        '0: (SHOP:TOTAL 2)',
        '  1: (SHOP:TOTAL 1)',
        '    2: (SHOP:TOTAL 0)',
        '    2: SHOP:TOTAL => 0',
        '  1: SHOP:TOTAL => 1',
        '0: SHOP:TOTAL => 3',
      ].join('\n'),
    );
    expect(await trace('report', { start: 1, count: 2 })).toMatch(
      /6 entries, 1 to 2 shown\n {2}1: .*\n {4}2: .*\n… 3 more: report again with start 3$/,
    );
    expect(await trace('report', { start: 50 })).toMatch(
      /there are only 6 entries, so there is nothing to show from entry 50 on/,
    );
    expect(await trace('stop', { function: 'total', package: 'shop' })).toMatch(/^No longer traced: SHOP:TOTAL/);
    await client.evaluate('(shop:total 1)');
    expect(await trace('report')).toMatch(/^Nothing is traced now; 6 entries/);
    expect(await traced()).toEqual([]);
  });

  it('The tool trace-function tells of an error, of methods and of setf functions [D11]', async () => {
    await trace('start', { function: 'failing' });
    await trace('start', { function: 'area', methods: true });
    await trace('start', { function: '(setf price)' });
    await client.evaluate('(ignore-errors (failing 1)) (area 3) (setf (price) 5)');
    const report = await trace('report');
    for (const line of [
      '0: FAILING was left without a value',
      '0: (AREA 3)',
      '(METHOD AREA (INTEGER))',
      '0: ((SETF PRICE) 5)',
    ])
      expect(report).toContain(line);
    expect(await trace('report', { function: '(setf price)' })).toMatch(/; 2 entries/);
    expect(await trace('stop')).toMatch(/AREA/);
    expect(await traced()).toEqual([]);
  });

  it('A trace is bounded, and a print method that loops does not hinder it [K6, D11]', async () => {
    await trace('start', { function: 'gentle' });
    expect(await client.evaluate('(dotimes (i 9000) (gentle i))')).toBe('=> NIL');
    expect(await trace('report', { count: 1 })).toMatch(/; 2000 entries, 0 to 0 shown, \d+ more were not stored\n/);
    await trace('stop');
    await trace('start', { function: 'gentle' });
    expect(await client.evaluate("(gentle (make-instance 'rude)) 1")).toBe('=> 1');
    expect(await trace('report')).toContain('printing took too long');
    await trace('stop');
  });

  it('Each connection has its own trace: one that stops or leaves takes nothing from another [D11]', async () => {
    const other = await bench.connect();
    await trace('start', { function: 'gentle' });
    await other.call('trace-function', { action: 'start', function: 'gentle' });
    await other.call('trace-function', { action: 'stop' });
    await client.evaluate('(gentle 1)');
    expect(await trace('report')).toMatch(/; 2 entries/);
    expect((await other.call('trace-function', { action: 'report' })).text).toMatch(/no calls were collected/);
    await (client.client.transport as StreamableHTTPClientTransport).terminateSession();
    await expect.poll(traced).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['no name', { action: 'start' }, /^Tool error: Name the function to trace\.$/],
    [
      'a name that is not there [X42]',
      { action: 'start', function: 'failling' },
      /^Symbol FAILLING not found in package COMMON-LISP-USER/,
    ],
    [
      'a macro',
      { action: 'start', function: 'when' },
      /does not name a function that can be traced\. It is defined as: macro\. It is a macro\.$/,
    ],
    [
      'a variable',
      { action: 'start', function: '*print-base*' },
      /It is defined as: variable\. It is not the name of a function\.$/,
    ],
    [
      'a package that is not there',
      { action: 'start', function: 'x', package: 'shpo' },
      /^Package shpo does not exist\. Did you mean SHOP/,
    ],
    ['one that is not traced', { action: 'stop', function: 'car' }, /^CAR is not traced for this connection\.$/],
  ])('The tool trace-function fails for %s', async (_, args, answer) => {
    expect(await client.call('trace-function', args)).toMatchObject({
      isError: true,
      text: expect.stringMatching(answer) as unknown,
    });
  });

  it('A reset of the session ends its traces [D11]', async () => {
    await client.evaluate('(defun short-lived () 1)');
    await trace('start', { function: 'short-lived' });
    await client.call('reset-session');
    expect(await trace('report')).toMatch(/^Nothing is traced now/);
  });
});
