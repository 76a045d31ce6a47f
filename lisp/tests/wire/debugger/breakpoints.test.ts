/** Breakpoints on what is not there yet, and the frame that a breakpoint stops in. */
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { abort, frameOf, restart, stopped } from './debugger.fixture.ts';

let test: TestImage;
let folder: string;

beforeEach(async () => {
  test = await openTestImage();
  folder = await mkdtemp(path.join(tmpdir(), 'breakpoints-'));
}, 120_000);

afterEach(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

describe('breakpoints on what is not there yet', () => {
  it('A breakpoint waits for its function, and is on it as soon as that is defined, within the same evaluation too [D6]', async () => {
    const keep = { functions: ['later', 'SHOP::TOTAL', '(SETF SHOP::RATE)'], conditions: ['SHOP::ODD', 'WARNING'] };
    expect(await test.ask('keep-breakpoints', keep)).toEqual({
      functions: keep.functions.map((wanted) => ({ wanted, name: null })),
      conditions: [
        { wanted: 'SHOP::ODD', name: null },
        { wanted: 'WARNING', name: 'WARNING' },
      ],
    });
    // Nothing was interned for them.
    expect(await test.value('(list (find-package "SHOP") (find-symbol "LATER"))')).toBe('(NIL NIL)');
    const first = await stopped(
      test,
      '(progn (eval (read-from-string "(defun later (x) (* 2 x))")) (funcall (intern "LATER") 4))',
    );
    expect(first.debugger.message).toBe('Breakpoint: LATER is called with 4.');
    expect((await test.next('breakpoints-changed')).functions[0]).toEqual({ wanted: 'later', name: 'LATER' });
    await restart(test, first.debugger, 'CONTINUE');
    expect((await first.reply).values[0]!.text).toBe('8');
    await test.next('debugger-left');

    await test.value('(defpackage :shop (:use :cl) (:export #:total))');
    await test.value(
      '(eval (read-from-string "(progn (defgeneric shop:total (x)) (defun (setf shop::rate) (new) new) (define-condition shop::odd (condition) ()))"))',
    );
    expect(await test.ask('keep-breakpoints', keep)).toEqual({
      functions: ['LATER', 'SHOP:TOTAL', '(SETF SHOP::RATE)'].map((name, at) => ({ wanted: keep.functions[at], name })),
      conditions: keep.conditions.map((name) => ({ wanted: name, name })),
    });
    const odd = await stopped(test, "(progn (signal 'shop::odd) :went-on)");
    await restart(test, odd.debugger, 'CONTINUE');
    expect((await odd.reply).values[0]!.text).toBe(':WENT-ON');
    await test.next('debugger-left');
    const rate = await stopped(test, '(list (setf (shop::rate) 7))');
    expect(rate.debugger.message).toBe('Breakpoint: (SETF SHOP::RATE) is called with 7.');
    await abort(test, rate.debugger);
  });

  it('A breakpoint is put on a function that an agent defines, and the guard stays with its code [D6]', async () => {
    await test.ask('set-breakpoint', { function: 'of-agent', set: true });
    const other = { context: 'agent', actor: 'client:agent', guard: true };
    await test.value('(defun of-agent (file) (probe-file file) (delete-file file))', other);
    expect(await test.ask('set-breakpoint', { function: 'of-agent', set: true })).toMatchObject({
      functions: [{ wanted: 'of-agent', name: 'OF-AGENT' }],
    });
    const { debugger: record } = await stopped(test, '(of-agent "/nowhere/at-all")');
    expect(record.message).toBe('Breakpoint: OF-AGENT is called with "/nowhere/at-all".');
    await restart(test, record, 'CONTINUE');
    expect((await test.next('effect-requested')).effect).toMatchObject({ operator: 'DELETE-FILE' });
  });

  it('A breakpoint outlasts the removal of its function and of its package, and is on the next one [D6]', async () => {
    await test.value('(defpackage :gone (:use :cl))');
    await test.value('(defun gone::away () 1)');
    await test.ask('set-breakpoint', { function: 'gone::away', set: true });
    await test.value("(fmakunbound 'gone::away)");
    expect((await test.next('breakpoints-changed')).functions).toEqual([{ wanted: 'gone::away', name: null }]);
    await test.value('(defun gone::away () 2)');
    expect((await test.next('breakpoints-changed')).functions).toEqual([{ wanted: 'gone::away', name: 'GONE::AWAY' }]);
    const first = await stopped(test, '(list (gone::away))');
    await abort(test, first.debugger);
    await test.value('(delete-package :gone)');
    expect((await test.next('breakpoints-changed')).functions).toEqual([{ wanted: 'gone::away', name: null }]);
    await test.value('(defpackage :gone (:use :cl))');
    await test.value('(defun gone::away () 3)');
    const second = await stopped(test, '(list (gone::away))');
    await restart(test, second.debugger, 'CONTINUE');
    expect((await second.reply).values[0]!.text).toBe('(3)');
    expect(await test.ask('set-breakpoint', { function: 'GONE::AWAY', set: false })).toEqual({
      functions: [],
      conditions: [],
    });
    const { values } = await test.evaluate('(list (gone::away))', { onError: 'debug' });
    expect(values[0]!.text).toBe('(3)');
  });

  it('A name that comes to be a macro, or a function of Lisp, is never broken on [D6]', async () => {
    const keep = {
      functions: ['becomes-macro', 'cl:car', 'no-package::thing', '((', ''],
      conditions: ['becomes-macro', '((', 'cl:car'],
    };
    await test.ask('keep-breakpoints', keep);
    await test.value('(defmacro becomes-macro () 5)');
    const { values } = await test.evaluate('(list (becomes-macro) (car (list 1)))', { onError: 'debug' });
    expect(values[0]!.text).toBe('(5 1)');
    await expect(test.ask('set-breakpoint', { function: 'becomes-macro', set: true })).rejects.toThrow(
      'names no function',
    );
    await expect(test.ask('set-breakpoint', { function: '((', set: true })).rejects.toThrow('no name of a function');
    await expect(test.ask('break-on-conditions', { types: ['car'] })).resolves.toBeDefined();
    await test.ask('keep-breakpoints', { functions: [], conditions: [] });
    await expect(test.ask('break-on-conditions', { types: ['integer'] })).rejects.toThrow('names no condition type');
  });

  it('Condition types that are cleared while code waits at one are not stopped at afterwards [D6]', async () => {
    await test.ask('break-on-conditions', { types: ['warning'] });
    const code = "(progn (signal 'warning) :went-on)";
    const { reply, debugger: record } = await stopped(test, code);
    await test.ask('break-on-conditions', { types: [] });
    await restart(test, record, 'CONTINUE');
    expect((await reply).values[0]!.text).toBe(':WENT-ON');
    const again = await test.evaluate(code, { onError: 'debug', interactive: true });
    expect(again.values[0]!.text).toBe(':WENT-ON');
  });
});

describe('the frame that a breakpoint stops in', () => {
  it('The first frame is that of the function, with its variables and the head of its definition [D6]', async () => {
    const text =
      '(defun entered (a b &optional (c (error "not yet")) &rest more &key (k 5) ((:other o) 6))\n  (list a b c more k o))';
    await test.value(text);
    await test.ask('set-breakpoint', { function: 'entered', set: true });
    const { reply, debugger: record } = await stopped(test, '(list (entered 1 "two" 3 :other 4))');
    const frame = frameOf(record, 'ENTERED');
    expect(record.frames.find(({ internal }) => !internal)!.index).toBe(frame);
    expect(record.frames.filter(({ function: name }) => name === 'ENTERED')).toHaveLength(1);
    expect(record.frames[frame]!.call).toBe('(ENTERED 1 "two" 3 :OTHER 4)');
    const { running } = record.frames[frame]!.source!;
    expect(running!.text.slice(running!.start, running!.end)).toBe(text.slice(0, text.indexOf('\n')));
    const { locals } = await test.ask('frame-locals', { debugger: record.id, frame });
    expect(locals.map(({ name, value }) => [name, value?.text])).toEqual([
      ['A', '1'],
      ['B', '"two"'],
      ['C', '3'],
      ['MORE', '(:OTHER 4)'],
      ['O', '4'],
    ]);
    const evaluated = await test.ask('eval-in-frame', { debugger: record.id, frame, code: '(list b o)' });
    expect(evaluated.result!.values[0]!.text).toBe('("two" 4)');
    await restart(test, record, 'CONTINUE');
    expect((await reply).values[0]!.text).toBe('((1 "two" 3 (:OTHER 4) 5 4))');
    await test.next('debugger-left');

    // It can be returned from without a call, and be called again.
    const returned = await stopped(test, '(multiple-value-list (entered 1 2 3))');
    const at = frameOf(returned.debugger, 'ENTERED');
    await test.ask('return-from-frame', { debugger: returned.debugger.id, frame: at, code: "(values a '%call)" });
    expect((await returned.reply).values[0]!.text).toBe('(1 %CALL)');
    await test.next('debugger-left');
    const again = await stopped(test, '(list (entered 1 2 3))');
    await test.ask('restart-frame', { debugger: again.debugger.id, frame: frameOf(again.debugger, 'ENTERED') });
    expect((await again.reply).values[0]!.text).toBe('((1 2 3 NIL 5 6))');
  });

  it('Steps stop at forms that somebody wrote, not at those with which keywords are looked through [D6]', async () => {
    await test.value(
      '(defun keyed (n &key (factor 2)) (let ((m (* n factor))) (list m (princ-to-string (quote #:lit)))))',
    );
    await test.ask('set-breakpoint', { function: 'keyed', set: true });
    const { reply, debugger: first } = await stopped(test, '(first (keyed 20 :factor 3))');
    let at = first;
    const forms: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      await test.ask('step', { debugger: at.id, kind: 'into' });
      await test.next('debugger-left');
      at = (await test.next('debugger-entered')).debugger;
      forms.push(at.step!.form);
    }
    expect(forms).toEqual(['(* N FACTOR)', "(PRINC-TO-STRING '#:LIT)"]);
    await restart(test, at, 'STEP-CONTINUE');
    expect((await reply).values[0]!.text).toBe('60');
  });

  it('A step out of a function at its entry goes on after the call, with all of its values [D6]', async () => {
    await test.value('(defun called (n) (values (* n 2) (* n 3)))');
    await test.value('(defun calls (n) (multiple-value-bind (two three) (called n) (princ-to-string (+ two three))))');
    await test.ask('keep-breakpoints', { functions: ['CALLED', 'CALLS'], conditions: [] });
    const { reply, debugger: first } = await stopped(test, '(list (calls 4))');
    let at = first;
    const stops: string[] = [];
    for (const kind of ['into', 'into', 'out'] as const) {
      await test.ask('step', { debugger: at.id, kind });
      await test.next('debugger-left');
      at = (await test.next('debugger-entered')).debugger;
      stops.push(at.step?.form ?? at.message);
    }
    expect(stops).toEqual(['(CALLED N)', 'Breakpoint: CALLED is called with 4.', '(+ TWO THREE)']);
    await restart(test, at, 'STEP-CONTINUE');
    expect((await reply).values[0]!.text).toBe('("20")');
  });

  it('A function whose file has changed since it was loaded is never compiled from what stands there now [D6]', async () => {
    const file = path.join(folder, 'code.lisp');
    await writeFile(file, '(defun changed (n) (+ n 1))\n');
    await test.value(`(load "${file}")`);
    await writeFile(file, '(defun changed (n) (- n 1))\n');
    await utimes(file, 1, 1);
    await test.ask('set-breakpoint', { function: 'changed', set: true });
    const { reply, debugger: record } = await stopped(test, '(list (changed 4))');
    const own = record.frames.find(({ internal }) => !internal)!;
    expect(own.call).toBe('(CHANGED 4)');
    expect(own.source?.running ?? null).toBeNull();
    await restart(test, record, 'CONTINUE');
    expect((await reply).values[0]!.text).toBe('(5)');
    const { result, condition } = await test.run('debug-function', { function: 'changed', set: true });
    expect(result).toBeNull();
    expect(condition!.message).toMatch(/The file of CHANGED has changed since its code was loaded. Load it again/);
  });

  it('A wrong number of arguments is the error of the function itself, after its breakpoint [D6]', async () => {
    await test.value('(defun one-only (a) a)');
    await test.ask('set-breakpoint', { function: 'one-only', set: true });
    const first = await stopped(test, '(one-only)');
    expect(first.debugger.message).toBe('Breakpoint: ONE-ONLY is called without arguments.');
    await restart(test, first.debugger, 'CONTINUE');
    await test.next('debugger-left');
    const { debugger: second } = await test.next('debugger-entered');
    expect(second.message).toMatch(/invalid number of arguments/);
    await abort(test, second);
  });

  it.each(['load', 'compile and load'])('Code of a file shows its line, when the file was %s [D6]', async (way) => {
    const file = path.join(folder, 'code.lisp');
    const text = `(in-package :cl-user)\n\n;; é\n(defun filed (n)\n  (let ((m (* n 2)))\n    (+ m 1)))\n\n(defgeneric shown (x))\n(defmethod shown ((x integer))\n  (1+ x))\n`;
    await writeFile(file, text);
    await test.value(way === 'load' ? `(load "${file}")` : `(load (compile-file "${file}"))`);
    await test.ask('keep-breakpoints', { functions: ['FILED', 'SHOWN'], conditions: [] });
    const { debugger: record, reply } = await stopped(test, '(list (filed 4))');
    const { source } = record.frames[frameOf(record, 'FILED')]!;
    expect(source!.file).toBe(file);
    expect(source!.running!.line).toBe(4);
    expect(text.slice(source!.running!.offset).startsWith('(defun filed')).toBe(true);
    expect(source!.running!.text.slice(source!.running!.start, source!.running!.end)).toBe('(defun filed (n)');
    // Stepping begins in the function, and its own frame is the first then.
    await test.ask('step', { debugger: record.id, kind: 'into' });
    await test.next('debugger-left');
    const { debugger: inside } = await test.next('debugger-entered');
    expect(inside.step!.form).toBe('(* N 2)');
    const own = inside.frames.find(({ internal }) => !internal)!;
    expect(own.call).toBe('(FILED 4)');
    expect(own.source!.running!.line).toBe(5);
    expect(inside.frames.filter(({ function: name }) => name === 'FILED')).toHaveLength(1);
    await restart(test, inside, 'STEP-CONTINUE');
    expect((await reply).values[0]!.text).toBe('(9)');
    await test.next('debugger-left');
    const generic = await stopped(test, '(list (shown 4))');
    const method = generic.debugger.frames.find(({ internal }) => !internal)!;
    expect(method.call).toBe('(SHOWN 4)');
    expect(method.source!.file).toBe(file);
    expect(method.source!.running!.line).toBe(9);
    await abort(test, generic.debugger);
  });
});
