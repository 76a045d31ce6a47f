/** Steps: into, over and out of forms, from wherever code stopped. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DebuggerRecord } from '#contract/debugger.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { restart, stopped } from './debugger.fixture.ts';

let test: TestImage;

beforeEach(async () => {
  test = await openTestImage();
}, 120_000);

afterEach(() => test.close());

const DEFINITIONS = `
(defun kept (x) x)
(defun innermost (z) (declare (optimize debug)) (list (1+ z) (1- z)))
(defun middle (y) (declare (optimize debug)) (let ((w (innermost (* y 3)))) (append w (reverse w))))
(defun outermost (x) (declare (optimize debug)) (let ((m (middle (+ x 1)))) (length (remove 5 m))))
(defun plain (x) (first (list (middle x))))
(defun counted (n) (declare (optimize debug)) (if (= n 0) (list :bottom) (kept (cons n (counted (- n 1))))))
(defun locally-done (x) (declare (optimize debug))
  (labels ((helper (y) (list (* y y) (+ y 2)))) (declare (notinline helper)) (kept (helper x))))
(defun mapped (x) (declare (optimize debug) (notinline mapcar)) (kept (mapcar (lambda (y) (list (* y y) (+ y 2))) x)))
(defclass shape () ())
(defgeneric area (shape x))
(defmethod area ((shape shape) x) (declare (optimize debug)) (list (* x x) (+ x 2)))
(defmethod area :around (shape x) (declare (optimize debug)) (kept (call-next-method)))
(defun measured (x) (declare (optimize debug)) (kept (area (make-instance 'shape) x)))
(defun careful (x) (declare (optimize debug)) (unwind-protect (throw :done (list x (* x 2))) (setf (get :careful :x) (list x))))
(defun catching (x) (declare (optimize debug)) (kept (catch :done (careful x))))
(defun broken (x) (declare (optimize debug)) (break "here") (list (* x x) (+ x 2)))
(defun breaking (x) (declare (optimize debug)) (kept (broken x)))`;

/** Steps from where code stopped; the code is over where `form` of the last is undefined. */
class Steps {
  readonly #reply: Promise<unknown>;
  at: DebuggerRecord;

  constructor({ reply, debugger: at }: { reply: Promise<unknown>; debugger: DebuggerRecord }) {
    this.#reply = reply;
    this.at = at;
  }

  /** Takes a step. Resolves with the form at which it stopped, or with null where the evaluation went on to its end. */
  async take(kind: 'into' | 'over' | 'out'): Promise<string | null> {
    await test.ask('step', { debugger: this.at.id, kind });
    return this.arrived();
  }

  async arrived(): Promise<string | null> {
    await test.next('debugger-left');
    const next = test.next('debugger-entered');
    const event = await Promise.race([next, this.#reply.then(() => null)]);
    if (event === null) return null;
    this.at = event.debugger;
    return event.debugger.step?.form ?? event.debugger.message;
  }

  /** Steps into forms until one begins with `head`. @throws Error when there is none. */
  async to(head: string): Promise<void> {
    const isThere = () => this.at.step?.form.startsWith(`(${head}`);
    while (!isThere()) if ((await this.take('into')) === null) throw new Error(`No step stopped at a form of ${head}.`);
  }
}

async function from(name: string, code: string): Promise<Steps> {
  await test.value(DEFINITIONS);
  await test.ask('set-breakpoint', { function: name, set: true });
  return new Steps(await stopped(test, code));
}

describe('steps out', () => {
  it('A step out stops in the caller, from the body of a function that a breakpoint stopped [D6]', async () => {
    const steps = await from('outermost', '(list (outermost 1))');
    await steps.to('MIDDLE');
    expect(await steps.take('into')).toBe('(* Y 3)');
    expect(await steps.take('into')).toBe('(INNERMOST (* Y 3))');
    expect(await steps.take('into')).toMatch(/^\(.* Z/);
    expect(await steps.take('out')).toBe('(REVERSE W)');
    expect(await steps.take('out')).toBe('(REMOVE 5 M)');
    expect(await steps.take('out')).toBeNull();
  });

  it('A step out goes on to the end where no caller can be stepped through [D6]', async () => {
    const steps = await from('middle', '(list (plain 4))');
    await steps.take('into');
    await steps.take('over');
    expect(await steps.take('out')).toBeNull();
  });

  it('A step out from the entry of a function stops in its caller [D6]', async () => {
    const steps = await from('innermost', '(outermost 1)');
    expect(await steps.take('out')).toBe('(REVERSE W)');
  });

  it('A step out after a step over at the top level goes on to the end [D6]', async () => {
    const steps = await from('outermost', '(outermost 1)');
    await steps.to('MIDDLE');
    expect(await steps.take('over')).toMatch(/^\((REMOVE|LENGTH)/);
    expect(await steps.take('out')).toBeNull();
  });

  it('A step out of a recursive function leaves one of its calls [D6]', async () => {
    const steps = await from('counted', '(counted 3)');
    await test.ask('set-breakpoint', { function: 'counted', set: false });
    await steps.to('COUNTED');
    await steps.take('into');
    await steps.to('COUNTED');
    await steps.take('into');
    const frame = (at: DebuggerRecord) => at.frames.find(({ internal }) => !internal)!.call;
    expect(frame(steps.at)).toBe('(COUNTED 1)');
    await steps.take('out');
    expect(frame(steps.at)).toBe('(COUNTED 2)');
  });

  it.each([
    ['a local function', 'locally-done', '(locally-done 4)', [/^\(KEPT/]],
    ['a function that another one calls for it', 'mapped', "(mapped '(4 6))", [/^\(KEPT/]],
    ['a method', 'measured', '(measured 4)', [/^\(KEPT \(\S*CALL-NEXT/, /^\(KEPT \(AREA/]],
  ])('A step out of %s stops behind its call [D6]', async (_what, name, code, forms) => {
    const steps = await from(name, code);
    await steps.to('+');
    for (const form of forms) expect(await steps.take('out')).toEqual(expect.stringMatching(form));
    expect(await steps.take('out')).toBeNull();
  });

  it('A step out of a function that is left by a throw through its cleanup forms stops where that is caught [D6]', async () => {
    const steps = await from('catching', '(catching 4)');
    await steps.to('*');
    expect(await steps.take('out')).toMatch(/^\(KEPT/);
  });

  it('A step out after a call of BREAK, and a step into, stops in the caller [D6]', async () => {
    await test.value(DEFINITIONS);
    const steps = new Steps(await stopped(test, '(breaking 4)'));
    await steps.to('+');
    expect(await steps.take('out')).toMatch(/^\(KEPT/);
  });

  it('A step out is cut short by a breakpoint, and forgotten there [D6]', async () => {
    const steps = await from('outermost', '(outermost 1)');
    await steps.to('MIDDLE');
    await test.ask('set-breakpoint', { function: 'innermost', set: true });
    expect(await steps.take('out')).toMatch('INNERMOST is called');
    expect(await steps.take('into')).toMatch(/Z/);
  });

  it('A step out is what the restart STEP-OUT does [D6]', async () => {
    const steps = await from('middle', '(list (outermost 1))');
    await steps.to('INNERMOST');
    expect(await restart(test, steps.at, 'STEP-OUT')).toEqual({ left: true, result: null });
    expect(await steps.arrived()).toBe('(REMOVE 5 M)');
  });
});
