/** The debugger in code that ASDF loaded from files that have changed since: places of frames, recompilation and steps. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DebuggerRecord } from '#contract/image/debugger.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { abort, stopped } from './debugger.fixture.ts';
import { Steps } from './stepping.fixture.ts';

const PACKAGES = '(defpackage :shop (:use :cl)) (defpackage :bank (:use :cl))';

const FIRST = '(defun first-one (x)\n  (list x 1))';
const PRICE = `(defun price (item &optional (count 1))
  "The price of COUNT items."
  (flet ((single (item) (list (* 2 (the-price item)))))
    (declare (notinline single))
    (list (first (single item)) (+ count 1))))`;
const THE_PRICE =
  '(defun the-price (item)\n  (when (eq item :none) (error "no price of ~A" item))\n  (list item (random 9)) 7)';
const BANK = '(in-package :bank)\n(defun price (account)\n  (list (error "broke ~A" account) 2))\n(in-package :shop)';
const METHODS = `(defgeneric cost (thing))
(defmethod cost ((thing integer))
  (list (error "cost of integer ~A" thing) 1))
(defmethod cost :around ((thing string))
  (list :around (call-next-method)))
(defmethod cost ((thing string))
  (list (error "cost of string ~A" thing) 2))`;
const LAST = '(defun last-one (x) (list x 3))';
const MACRO =
  '(defmacro define-thing (name &body body) `(defun ,name (x) (list ,@body)))\n(define-thing made\n  (error "made ~A" x))';

const PARTS = [FIRST, PRICE, THE_PRICE, BANK, METHODS, MACRO, LAST];

const textOf = (parts: readonly string[]): string => ['(in-package :shop)', ...parts].join('\n\n') + '\n';

let test: TestImage;
let file: string;

beforeEach(async () => {
  test = await openTestImage();
  file = path.join(test.directory, 'shop.lisp');
}, 120_000);

afterEach(() => test.close());

/** Loads the system with ASDF, from a file with these parts. */
async function loadSystem(parts: readonly string[] = PARTS): Promise<void> {
  const { directory } = test;
  await writeFile(path.join(directory, 'packages.lisp'), PACKAGES);
  await writeFile(file, textOf(parts));
  await writeFile(
    path.join(directory, 'shop.asd'),
    '(defsystem "shop" :serial t :components ((:file "packages") (:file "shop")))',
  );
  await test.value(
    `(progn (asdf:disable-output-translations) (asdf:load-asd "${directory}/shop.asd") (asdf:load-system "shop"))`,
  );
}

/** The source of the frame whose call matches, its running form and the line of that form. */
function placeOf({ frames }: DebuggerRecord, call: RegExp) {
  const source = frames.find((frame) => call.test(frame.call))!.source!;
  const { running } = source;
  return {
    form: running && running.text.slice(running.start, running.end),
    line: running?.line ?? null,
    changed: source.changed,
  };
}

/** Runs the code until it stops in the debugger, and returns the place of a frame. */
async function placeAtStop(code: string, call: RegExp) {
  const { debugger: record } = await stopped(test, code);
  const place = placeOf(record, call);
  await abort(test, record);
  return place;
}

/** Returns the line, from 1, at which the text of the file contains this. */
const lineOf = (parts: readonly string[], wanted: string): number => textOf(parts).split(wanted)[0]!.split('\n').length;

const LONGER = '(defun first-one (x)\n  ;; longer\n  (list x\n        x 1))';

describe('frames of code whose file has changed', () => {
  const [first, price, thePrice, bank, methods, macro, last] = PARTS;
  it.each([
    ['nothing', PARTS],
    ['a definition above', [LONGER, price!, thePrice!, bank!, methods!, macro!, last!]],
    ['a definition below', [first!, price!, thePrice!, bank!, methods!, macro!, '(defun last-one (x) (list x 4))']],
    ['the order', [methods!, macro!, last!, bank!, thePrice!, price!, first!]],
    ['only comments and blanks in it', PARTS.map((part) => part.replace('  (list', '  ;; why\n   (list'))],
  ])('The running form is found exactly after this has changed in the file: %s [issue 39.2]', async (what, parts) => {
    await loadSystem();
    await writeFile(file, textOf(parts));
    const changed = what === 'nothing' ? null : 'file';
    expect(await placeAtStop('(shop::price :none)', /^\((SHOP::)?THE-PRICE/)).toEqual({
      form: '(error "no price of ~A" item)',
      line: lineOf(parts, '(error "no price'),
      changed,
    });
    expect(await placeAtStop('(bank::price 1)', /^\((BANK::)?PRICE/)).toEqual({
      form: '(error "broke ~A" account)',
      line: lineOf(parts, '(error "broke'),
      changed,
    });
    expect(await placeAtStop('(shop::cost "1")', /METHOD (SHOP::)?COST \(STRING/)).toEqual({
      form: '(error "cost of string ~A" thing)',
      line: lineOf(parts, '(error "cost of string'),
      changed,
    });
    // The code is compiled for debugging now, from the current text. SBCL 2.2.9 records no exact place for this frame.
    const around = await placeAtStop('(shop::cost "1")', /METHOD (SHOP::)?COST :AROUND/);
    const heads = ['(defmethod cost :around', '(call-next-method)'].map((head) => lineOf(parts, head));
    expect([heads, around.changed]).toEqual([expect.arrayContaining([around.line]), null]);
    expect((await placeAtStop('(shop::made 1)', /^\((SHOP::)?MADE/)).line).toBeGreaterThanOrEqual(
      lineOf(parts, '(define-thing made'),
    );
    expect((await placeAtStop('(shop::price :none)', /FLET (SHOP::)?SINGLE/)).line).toBe(lineOf(parts, '(the-price'));
  });

  it('After its own change, a definition is found by kind, name and package, and the frame says that it has changed [issue 39.2]', async () => {
    await loadSystem();
    const parts = [
      '(defun (setf price) (new item) (list new item))',
      LONGER,
      PRICE.replace('(* 2', '(* 3'),
      THE_PRICE.replace('no price', 'no such price'),
      BANK.replace('broke', 'bankrupt'),
      METHODS.replace('cost of string', 'costs of string').replace('cost of integer', 'costs of integer'),
      MACRO.replace('made ~A', 'was made ~A'),
    ];
    await writeFile(file, textOf(parts));
    const changed = 'definition';
    const place = async (code: string, call: RegExp) => {
      const found = await placeAtStop(code, call);
      return { ...found, form: found.form!.split('\n')[0] };
    };
    expect(await place('(shop::price :none)', /^\((SHOP::)?THE-PRICE/)).toEqual({
      form: '(defun the-price (item)',
      line: lineOf(parts, '(defun the-price'),
      changed,
    });
    expect(await place('(bank::price 1)', /^\((BANK::)?PRICE/)).toEqual({
      form: '(defun price (account)',
      line: lineOf(parts, '(defun price (account)'),
      changed,
    });
    expect(await place('(shop::cost "1")', /METHOD (SHOP::)?COST \(STRING/)).toEqual({
      form: '(defmethod cost ((thing string))',
      line: lineOf(parts, '(defmethod cost ((thing string))'),
      changed,
    });
    // The local function, not its owner.
    expect((await place('(shop::price :none)', /FLET (SHOP::)?SINGLE/)).form).toBe(
      '(single (item) (list (* 3 (the-price item))))',
    );
    expect(await place('(shop::made 1)', /^\((SHOP::)?MADE/)).toMatchObject({ form: '(define-thing made', changed });
  });

  it.each([['the definition is gone'], ['the file is gone']])(
    'The frame has the text that was compiled after %s [issue 39.2]',
    async (how) => {
      await loadSystem();
      if (how === 'the file is gone') await rm(file);
      else await writeFile(file, textOf([FIRST, PRICE, BANK, METHODS]));
      expect(await placeAtStop('(shop::price :none)', /^\((SHOP::)?THE-PRICE/)).toEqual({
        form: '(error "no price of ~A" item)',
        line: null,
        changed: 'compiled',
      });
    },
  );

  it('A file that is changed and loaded again within a second is compared with its last load [issue 39.2]', async () => {
    const changed = THE_PRICE.replace(' 7)', ' 70)');
    await loadSystem([FIRST, THE_PRICE]);
    await writeFile(file, textOf([FIRST, changed]));
    await test.value('(asdf:load-system "shop" :force t)');
    await writeFile(file, textOf([LONGER, changed]));
    expect(await placeAtStop('(shop::the-price :none)', /THE-PRICE/)).toEqual({
      form: '(error "no price of ~A" item)',
      line: lineOf([LONGER, changed], '(error'),
      changed: 'file',
    });
  });

  it('A definition is found by name if the compiled text is not known, because the file had changed before the load [issue 39.2]', async () => {
    const source = path.join(test.directory, 'early.lisp');
    await writeFile(source, '(defun early (x) (list (error "early ~A" x) 1))\n');
    await test.value(`(compile-file "${source}")`);
    await test.value(`(sb-posix:utime "${source}" 1000000000 1000000000)`);
    await writeFile(source, ';; new\n\n(defun early (x) (list (error "early ~A" x) 2))\n');
    await test.value(`(sb-posix:utime "${source}" 1000000000 1000000000)`);
    await test.value(`(load "${test.directory}/early.fasl")`);
    expect(await placeAtStop('(early 1)', /^\(EARLY/)).toEqual({
      form: '(defun early (x) (list (error "early ~A" x) 2))',
      line: 3,
      changed: 'definition',
    });
    expect(await test.run('debug-function', { function: 'early', set: true })).toMatchObject({
      result: { note: expect.stringMatching(/^The file of EARLY has changed/) },
    });
    const { debugger: record } = await stopped(test, '(early 1)');
    expect(placeOf(record, /^\(EARLY/)).toEqual({ form: '(error "early ~A" x)', line: 3, changed: null });
    await abort(test, record);
  });
});

describe('functions whose file has changed', () => {
  const forms = async (steps: Steps): Promise<(string | null)[]> => {
    const seen: (string | null)[] = [];
    while ((await steps.take('into')) !== null) {
      const frame = steps.at.frames.find(({ internal }) => !internal)!;
      const { running } = frame.source!;
      seen.push(running && running.text.slice(running.start, running.end));
    }
    return seen;
  };

  it.each([
    ['above', [LONGER, PRICE, THE_PRICE, BANK, METHODS]],
    ['below', [FIRST, PRICE, THE_PRICE, BANK]],
    ['in a callee', [FIRST, PRICE, THE_PRICE.replace('random 9', 'random 8'), BANK]],
  ])(
    'Code is stepped through from a breakpoint, also into callees, after a change %s [issue 39.2]',
    async (_where, parts) => {
      await loadSystem();
      await writeFile(file, textOf(parts));
      await test.ask('set-breakpoint', { function: 'shop::price', set: true });
      const steps = new Steps(test, await stopped(test, '(shop::price :tea)'));
      expect(steps.at.steps).toEqual({ within: true, out: false });
      // A changed callee is stepped through as it was loaded.
      expect(await forms(steps)).toEqual(
        expect.arrayContaining(['(* 2 (the-price item))', '(the-price item)', '(random 9)', '(+ count 1)']),
      );
    },
  );

  it('Methods are stepped through as they were loaded [issue 39.2]', async () => {
    await loadSystem([
      METHODS.replaceAll(/\(error "cost of (\w+) ~A" thing\)/g, '(random 5)'),
      '(defun costs (x) (list (cost x)))',
    ]);
    await writeFile(file, textOf([LONGER, METHODS, '(defun costs (x) (list (cost x)))']));
    await test.ask('set-breakpoint', { function: 'shop::costs', set: true });
    const steps = new Steps(test, await stopped(test, '(shop::costs "1")'));
    await steps.to('COST');
    await steps.to('RANDOM');
    expect(steps.at.step!.form).toBe('(RANDOM 5)');
  });

  it('Recompiling for debugging compiles the definition that is now in the file, and says so if it is another one [issue 39.2]', async () => {
    await loadSystem();
    await writeFile(file, textOf([LONGER, PRICE, THE_PRICE, BANK, METHODS]));
    const compile = async (name: string) => (await test.run('debug-function', { function: name, set: true })).result!;
    expect(await compile('shop::price')).toEqual({ functions: ['SHOP::PRICE'], note: null });
    await writeFile(file, textOf([LONGER, PRICE, THE_PRICE.replace(' 7)', ' 70)'), BANK, METHODS]));
    expect((await compile('shop::the-price')).note).toBe(
      'The file of SHOP::THE-PRICE has changed since its code was loaded. The definition that is now in the file was compiled.',
    );
    expect(await test.value('(shop::the-price :tea)')).toBe('70');
    await test.run('debug-function', { function: 'shop::the-price', set: false });
    expect(await test.value('(shop::the-price :tea)')).toBe('7');
    await writeFile(file, textOf([FIRST]));
    expect((await test.run('debug-function', { function: 'shop::first-one', set: true })).status).toBe('ok');
    // The loaded definition of a function that the file no longer has is still known.
    expect(await compile('shop::last-one')).toMatchObject({ note: null });
  });

  it('The states of definitions are known after a change that came before the first comparison [issue 39.2]', async () => {
    await loadSystem();
    await writeFile(file, textOf([LONGER, PRICE, THE_PRICE.replace(' 7)', ' 70)'), BANK]));
    const { definitions } = await test.ask('definition-states', { files: [{ file, text: null }], package: null });
    const states = definitions.map(({ name, package: own, state }) => [`${own}::${name}`, state]);
    expect(states.filter(([name]) => /PRICE|FIRST-ONE/i.test(name!))).toEqual([
      ['SHOP::FIRST-ONE', 'changed-in-file'],
      ['SHOP::PRICE', 'same'],
      ['SHOP::THE-PRICE', 'changed-in-file'],
      ['BANK::PRICE', 'same'],
    ]);
  });

  it('A function inside a LET says why it cannot be compiled separately [issue 39.2]', async () => {
    await loadSystem(['(let ((n 1)) (defun counted () (list (incf n))))', FIRST]);
    await writeFile(file, textOf(['(let ((n 1)) (defun counted () (list (incf n))))', LONGER]));
    const { condition } = await test.run('debug-function', { function: 'shop::counted', set: true });
    expect(condition!.message).toBe(
      'The definition of SHOP::COUNTED is inside LET, so it cannot be compiled separately.',
    );
  });
});
