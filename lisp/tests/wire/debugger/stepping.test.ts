/** Steps into, over and out of forms, from any place where code stopped. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DebuggerRecord } from '#contract/image/debugger.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { restart, stopped } from './debugger.fixture.ts';
import { Steps } from './stepping.fixture.ts';

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

async function from(name: string, code: string): Promise<Steps> {
  await test.value(DEFINITIONS);
  await test.ask('set-breakpoint', { function: name, set: true });
  return new Steps(test, await stopped(test, code));
}

describe('variables at a step', () => {
  it.each([
    [
      'generic arithmetic',
      '(defun f (a b) (let ((s (+ a b))) (* s s)))',
      '(f 1 2)',
      { '(+ A B)': 'A=1 B=2 S-', '(* S S)': 'A=1 B=2 S=3' },
    ],
    [
      'arithmetic on fixnums',
      '(defun f (a b) (declare (fixnum a b)) (let ((s (+ a b))) (let ((q (* s 2))) (list (- q s) (random 2)))))',
      '(f 1 2)',
      { '(* S 2)': 'A=1 B=2 Q- S=3', '(- Q S)': 'A=1 B=2 Q=6 S=3' },
    ],
    [
      'an iteration',
      '(defun f (a) (let ((sum 0)) (dolist (x a sum) (setf sum (+ sum (* x x))))))',
      "(f '(5))",
      { '(* X X)': 'A=(5) SUM=0 X=5', '(+ SUM (* X X))': 'A=(5) SUM=0 X=5' },
    ],
    [
      'a local function',
      '(defun f (a) (flet ((g (z) (let ((y (* z z))) (- y a)))) (list (g a) 1)))',
      '(f 4)',
      { '(* Z Z)': 'A=4 Y- Z=4', '(- Y A)': 'A=4 Y=16 Z=4' },
    ],
  ])(
    'Variables in scope have their values at a step of %s, and forms see them [D6]',
    async (_what, definition, call, expected) => {
      await test.value(definition);
      await test.run('debug-function', { function: 'f', set: true });
      await test.ask('set-breakpoint', { function: 'f', set: true });
      const steps = new Steps(test, await stopped(test, `(list ${call})`));
      const seen: Record<string, string> = {};
      for (let form = await steps.take('into'); form !== null; form = await steps.take('into')) {
        if (!(form in expected)) continue;
        const asked = { debugger: steps.at.id, frame: steps.at.frames.find(({ internal }) => !internal)!.index };
        const { locals } = await test.ask('frame-locals', asked);
        seen[form] = locals.map(({ name, value }) => (value === null ? `${name}-` : `${name}=${value.text}`)).join(' ');
        for (const { name, value, absence } of locals) {
          expect(absence).toBe(value === null ? 'unbound' : null);
          if (value === null) continue;
          const { result } = await test.ask('eval-in-frame', { ...asked, code: `(list ${name})` });
          expect(result!.values[0]!.text).toBe(`(${value.text})`);
        }
      }
      expect(seen).toEqual(expected);
    },
  );
});

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
    const steps = new Steps(test, await stopped(test, '(breaking 4)'));
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
    expect(await restart(test, steps.at, 'STEP-OUT')).toMatchObject({ left: true, result: null });
    expect(await steps.arrived()).toBe('(REMOVE 5 M)');
  });
});
