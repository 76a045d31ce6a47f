/** Breakpoints on functions that are not defined yet, and the frame in which a breakpoint stops. */
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { abort, frameOf, restart, stopped } from './debugger.fixture.ts';
import { FOLLOWS } from '../effects.fixture.ts';

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
    expect(await test.ask('keep-breakpoints', keep)).toMatchObject({
      functions: keep.functions.map((wanted) => ({ wanted, name: null })),
      conditions: [
        { wanted: 'SHOP::ODD', name: null },
        { wanted: 'WARNING', name: 'WARNING' },
      ],
    });
    // Setting the breakpoints has interned no symbols.
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
    expect(await test.ask('keep-breakpoints', keep)).toMatchObject({
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

  it('An evaluation does not look up the texts of 5,000 breakpoints again that nothing has changed for [D6]', async () => {
    const functions = Array.from({ length: 5000 }, (_, index) => `waits-${index}`);
    await test.ask('keep-breakpoints', { functions, conditions: [] });
    const consed = async () => Number(await test.value('(sb-ext:get-bytes-consed)'));
    const before = await consed();
    for (let count = 0; count < 5; count += 1) await test.value('1');
    expect((await consed()) - before).toBeLessThan(5_000_000);
  });

  it.runIf(FOLLOWS)(
    'A breakpoint is put on a function that an agent defines, and the guard stays with its code [D6]',
    async () => {
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
    },
  );

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
    expect(await test.ask('set-breakpoint', { function: 'GONE::AWAY', set: false })).toMatchObject({
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
      'is a macro or a special operator, not a function',
    );
    await expect(test.ask('set-breakpoint', { function: '((', set: true })).rejects.toThrow(
      'not the name of a function',
    );
    await expect(test.ask('break-on-conditions', { types: ['car'] })).resolves.toBeDefined();
    await test.ask('keep-breakpoints', { functions: [], conditions: [] });
    await expect(test.ask('break-on-conditions', { types: ['integer'] })).rejects.toThrow('is not a condition type');
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

    // The frame can return a value without making the call. Afterwards the function can be called again.
    const returned = await stopped(test, '(multiple-value-list (entered 1 2 3))');
    const at = frameOf(returned.debugger, 'ENTERED');
    await test.ask('return-from-frame', { debugger: returned.debugger.id, frame: at, code: "(values a '%call)" });
    expect((await returned.reply).values[0]!.text).toBe('(1 %CALL)');
    await test.next('debugger-left');
    const again = await stopped(test, '(list (entered 1 2 3))');
    await test.ask('restart-frame', { debugger: again.debugger.id, frame: frameOf(again.debugger, 'ENTERED') });
    await test.next('debugger-left');
    await restart(test, (await test.next('debugger-entered')).debugger, 'CONTINUE');
    expect((await again.reply).values[0]!.text).toBe('((1 2 3 NIL 5 6))');
  });

  it('A function is called with what the variables of its frame were set to before [D6]', async () => {
    await test.value(
      '(defun set-before (a b &optional (c 3) &rest more &key (k 5) ((:other o) 6)) (list a b c more k o))',
    );
    await test.ask('set-breakpoint', { function: 'set-before', set: true });
    const called = async (code: string, set: string) => {
      const { reply, debugger: record } = await stopped(test, code);
      const frame = frameOf(record, 'SET-BEFORE');
      await test.ask('eval-in-frame', { debugger: record.id, frame, code: set });
      const { locals } = await test.ask('frame-locals', { debugger: record.id, frame });
      await restart(test, record, 'CONTINUE');
      await test.next('debugger-left');
      return [(await reply).values[0]!.text, locals.map(({ value }) => value?.text)];
    };
    expect(await called('(set-before 1 2 3 :other 4)', '(setf b :two o :four)')).toEqual([
      '(1 :TWO 3 (:OTHER :FOUR) 5 :FOUR)',
      ['1', ':TWO', '3', '(:OTHER 4)', ':FOUR'],
    ]);
    expect((await called('(set-before 1 2 3 :k 4)', '(setf a nil more (list :other 8))'))[0]).toBe(
      '(NIL 2 3 (:OTHER 8) 5 8)',
    );
    // The caller's list is not modified.
    expect((await called("(let ((all (list 1 2))) (apply 'set-before all) all)", '(setf a 7)'))[0]).toBe('(1 2)');
    await test.value('(defgeneric generic-before (a)) (defmethod generic-before ((a number)) (list a))');
    for (const target of ['generic-before', '(method generic-before (number))']) {
      await test.ask('set-breakpoint', { function: target, set: true });
      const { reply, debugger: record } = await stopped(test, '(generic-before 1)');
      const frame = record.frames.find(({ internal }) => !internal)!.index;
      await test.ask('eval-in-frame', { debugger: record.id, frame, code: '(incf a)' });
      await restart(test, record, 'CONTINUE');
      await test.next('debugger-left');
      expect((await reply).values[0]!.text).toBe('(2)');
      await test.ask('set-breakpoint', { function: target, set: false });
    }
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

  it('A breakpoint never compiles another definition than the one that was loaded, and recompiling says that it does [D6, issue 39.2]', async () => {
    const file = path.join(folder, 'code.lisp');
    await writeFile(file, '(defun changed (n) (+ n 1))\n');
    await test.value(`(load "${file}")`);
    await writeFile(file, '(defun changed (n) (- n 1))\n');
    await utimes(file, 1, 1);
    await test.ask('set-breakpoint', { function: 'changed', set: true });
    const { reply, debugger: record } = await stopped(test, '(list (changed 4))');
    const own = record.frames.find(({ internal }) => !internal)!;
    expect(own.call).toBe('(CHANGED 4)');
    expect(own.source).toMatchObject({ changed: 'definition', running: { text: '(defun changed (n) (- n 1))' } });
    await restart(test, record, 'CONTINUE');
    expect((await reply).values[0]!.text).toBe('(5)');
    const { result } = await test.run('debug-function', { function: 'changed', set: true });
    expect(result!.note).toMatch(/^The file of CHANGED has changed since its code was loaded/);
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
    // Stepping begins in the function, whose frame is then the first one.
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

describe('breakpoints with a condition', () => {
  const when = (name: string, condition: string) =>
    test.ask('set-breakpoint', { function: name, set: true, when: condition });
  const unstopped = async (code: string): Promise<string> =>
    (await test.evaluate(code, { onError: 'debug', interactive: true })).values[0]!.text;
  /** Evaluates code that must stop, and continues it. Returns the message of the stop, and the value. */
  const stop = async (code: string): Promise<[message: string, value: string]> => {
    const { reply, debugger: record } = await stopped(test, code);
    await restart(test, record, 'CONTINUE');
    const { values } = await reply;
    await test.next('debugger-left');
    return [record.message, values[0]!.text];
  };

  it('Only the call at which the condition is true stops, in the frame of the function [D6]', async () => {
    await test.value('(defpackage :shop (:use :cl))');
    await test.value('(let ((*package* (find-package :shop))) (eval (read-from-string "(defun price (n) (* 2 n))")))');
    await when('shop::price', '(= n 500)');
    const { reply, debugger: record } = await stopped(
      test,
      '(loop for i below 1000 sum (funcall (read-from-string "shop::price") i))',
    );
    expect(record.message).toBe('Breakpoint: SHOP::PRICE is called with 500.');
    expect(record.frames[frameOf(record, 'SHOP::PRICE')]!.call).toBe('(SHOP::PRICE 500)');
    await restart(test, record, 'CONTINUE');
    expect((await reply).values[0]!.text).toBe('999000');
    await test.next('debugger-left');
    // A new condition replaces the old one. A breakpoint without a condition always stops.
    await when('shop::price', '(oddp n)');
    expect(await unstopped('(shop::price 500)')).toBe('1000');
    expect(await stop('(shop::price 3)')).toEqual(['Breakpoint: SHOP::PRICE is called with 3.', '6']);
    await test.ask('set-breakpoint', { function: 'shop::price', set: true });
    expect(await stop('(shop::price 500)')).toEqual(['Breakpoint: SHOP::PRICE is called with 500.', '1000']);
  });

  it('The parameters are bound as the call binds them; of those not given the constant defaults are known [D6]', async () => {
    await test.value('(defvar *ran* 0)');
    await test.value(
      '(defun bound (a &optional (b 7 b-p) (c (incf *ran*)) &rest more &key (k :k) ((:other o) 6 o-p) &allow-other-keys &aux (z 3)) (list a b b-p c more k o o-p z))',
    );
    await when('bound', '(error "~S" (list a b b-p c more k o o-p))');
    const bound = async (call: string): Promise<string> => (await stop(`(progn ${call} 1)`))[0].split(' failed: ')[1]!;
    expect(await bound('(bound 1)')).toBe('(1 7 NIL NIL NIL :K 6 NIL)');
    expect(await bound('(bound 1 2 3 :k 4 :x 9 :other nil)')).toBe('(1 2 T 3 (:K 4 :X 9 :OTHER NIL) 4 NIL T)');
    expect(await test.value('*ran*')).toBe('1');
    // The function gets its arguments unchanged. A new definition may have other parameters.
    await when('bound', '(eql a 5)');
    expect(await unstopped('(bound 1 2 3 :other 5)')).toBe('(1 2 T 3 (:OTHER 5) :K 5 T 3)');
    await test.value('(defun bound (x a) (list x a))');
    expect(await unstopped('(bound 5 1)')).toBe('(5 1)');
    expect((await stop('(bound 1 5)'))[1]).toBe('(1 5)');
    // If the number of arguments is wrong, the function itself signals the error.
    await when('bound', '(null a)');
    const { debugger: first } = await stopped(test, '(bound 1)');
    expect(first.message).toBe('Breakpoint: BOUND is called with 1.');
    await restart(test, first, 'CONTINUE');
    await test.next('debugger-left');
    const { debugger: second } = await test.next('debugger-entered');
    expect(second.message).toMatch(/invalid number of arguments/);
    await abort(test, second);
  });

  it('A generic function, a SETF function and special parameters take a condition [D6]', async () => {
    await test.value('(progn (defvar *unit* :none) (defgeneric area (shape *unit*)) (defun unit () *unit*))');
    await test.value('(defmethod area ((shape integer) *unit*) (list shape *unit*))');
    await test.value('(defun (setf area) (new place) (list new place))');
    await test.ask('keep-breakpoints', {
      functions: ['AREA', '(SETF AREA)'],
      conditions: [],
      when: { AREA: "(and (eql shape 2) (eq (unit) 'cm))", '(SETF AREA)': '(eq place :here)' },
    });
    expect(await unstopped("(list (area 2 'm) (area 3 'cm) (setf (area :there) 1))")).toBe('((2 M) (3 CM) (1 :THERE))');
    expect(await stop("(area 2 'cm)")).toEqual(['Breakpoint: AREA is called with 2 CM.', '(2 CM)']);
    expect((await stop('(setf (area :here) 1)'))[0]).toBe('Breakpoint: (SETF AREA) is called with 1 :HERE.');
  });

  it('Parameters from another package than the function have their own names in its condition [D6]', async () => {
    await test.value('(progn (defpackage :shop (:use :cl) (:export :price)) (defpackage :user (:use :cl)))');
    await test.value(
      '(let ((*package* (find-package :user))) (eval (read-from-string "(defun shop:price (n) (* 2 n))")))',
    );
    await when('shop::price', '(and (= n 5) (= user::n 5))');
    expect(await unstopped('(shop::price 4)')).toBe('8');
    expect(await stop('(shop::price 5)')).toEqual(['Breakpoint: SHOP:PRICE is called with 5.', '10']);
  });

  it('A condition that fails stops with words that say why, and the code goes on as if there were none [D6]', async () => {
    await test.value('(defun checked (n) (handler-case (* 2 n) (error () :handled)))');
    const calls =
      '(handler-case (handler-bind ((condition (lambda (c) (throw :out c)))) (checked 4)) (error () :broken))';
    for (const [condition, why] of [
      [
        '(> (car n) 3)',
        /^Breakpoint: CHECKED is called with 4\. The breakpoint's condition \(> \(car n\) 3\) failed: The value\s+4\s+is not of type\s+LIST/,
      ],
      ['(> m 3)', /failed: The variable M is unbound\.$/],
      ['(no-such-function n)', /failed: The function NO-SUCH-FUNCTION is undefined\.$/],
      ['(error "Mine: ~A" n)', /failed: Mine: 4$/],
      ['(break)', /failed: It entered the debugger\.$/],
      ['(let)', /failed: .*LET/s],
      ['(labels ((deep (x) (1+ (deep (list x))))) (deep n))', /failed: Control stack exhausted/],
      ['(oops', /could not be read: The condition is incomplete/],
      ['nowhere:n', /could not be read: Package NOWHERE does not exist\./],
      ['#.(checked 1)', /could not be read: .*#\./s],
    ] as const) {
      await when('checked', condition);
      const [message, value] = await stop(calls);
      expect(message).toMatch(why);
      expect(value).toBe('8');
    }
    // A warning does not count as a failure of the condition. Signals in the condition do not reach the code's handlers.
    await when('checked', '(progn (warn "no") (signal "nothing") nil)');
    expect(await unstopped(calls)).toBe('8');
  });

  it('A condition triggers no breakpoints: not its own, not another, and no step [D6]', async () => {
    await test.value('(defun fact (n) (if (< n 2) 1 (* n (fact (1- n)))))');
    await test.value('(defun other (n) (> n 100))');
    await test.ask('keep-breakpoints', {
      functions: ['FACT', 'OTHER'],
      conditions: ['WARNING'],
      when: { FACT: "(progn (signal 'warning) (other (fact n)))" },
    });
    expect(await unstopped('(fact 4)')).toBe('24');
    expect(await stop('(fact 5)')).toEqual(['Breakpoint: FACT is called with 5.', '120']);
    // A step into the function skips the condition.
    await test.ask('keep-breakpoints', {
      functions: ['OUTER', 'FACT'],
      conditions: [],
      when: { FACT: '(other (+ n 0))' },
    });
    await test.value('(defun outer (n) (list (fact (+ n 1))))');
    const { reply, debugger: first } = await stopped(test, '(list (outer 1))');
    let at = first;
    const forms: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      await test.ask('step', { debugger: at.id, kind: 'into' });
      await test.next('debugger-left');
      at = (await test.next('debugger-entered')).debugger;
      forms.push(at.step!.form);
    }
    expect(forms).toEqual(['(+ N 1)', '(FACT (+ N 1))', '(- N 1)']);
    await restart(test, at, 'STEP-CONTINUE');
    expect((await reply).values[0]!.text).toBe('((2))');
  });

  it.runIf(FOLLOWS)(
    'A condition in the code of an agent has the guard of that, and one in the person’s has not [D6]',
    async () => {
      await test.value('(defun guarded-here (n) (list n))');
      const other = { context: 'agent', actor: 'client:agent', guard: true };
      await test.value('(defun of-agent (n) (list (guarded-here n)))', other);
      const file = path.join(folder, 'kept.txt');
      await writeFile(file, 'kept');
      await when('guarded-here', `(progn (delete-file "${file}") nil)`);
      const [message, value] = await stop('(list (of-agent 1))');
      expect(message).toMatch(/failed: .*(denied|allowed)/is);
      expect(value).toBe('(((1)))');
      await expect(readFile(file, 'utf8')).resolves.toBe('kept');
      expect(await unstopped('(list (guarded-here 1))')).toBe('((1))');
      await expect(readFile(file, 'utf8')).rejects.toThrow('ENOENT');
    },
  );

  it('A condition that cannot be read is refused with the words of the reader, and nothing is interned for a function to come [D6]', async () => {
    await test.value('(defun readable (n) n)');
    const problem = async (condition: string, name = 'readable'): Promise<string | null> =>
      (await test.ask('check-breakpoint-condition', { function: name, when: condition })).problem;
    expect(await problem('(> n 3')).toBe('The condition is incomplete: a parenthesis or a quote is not closed.');
    expect(await problem('(> n 3))')).toMatch(/unmatched close parenthesis/);
    expect(await problem('n 3')).toBe('The condition must be a single form.');
    expect(await problem('(no-such:thing n)')).toMatch(/^Package NO-SUCH does not exist\./);
    expect(await problem('(= n #.(+ 1 2))')).toMatch(/#\./);
    expect(await problem('(and (> n 3) (string= "a b" \'|x y|)) ; only then')).toBeNull();
    expect(await problem('(coming-variable > 3)', 'to-come')).toBeNull();
    expect(await problem('(coming-variable > 3', 'to-come')).not.toBeNull();
    expect(await problem('a b', 'to-come')).toBe('The condition must be a single form.');
    expect(await test.value('(find-symbol "COMING-VARIABLE")')).toBe('NIL');
  });
});
