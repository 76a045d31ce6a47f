import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;
let file: string;

beforeAll(async () => {
  bench = await openTestWorkbench();
  client = await bench.connect();
  file = path.join(bench.project, 'shop.lisp');
  await writeFile(
    file,
    `(defpackage :shop (:use :cl) (:export #:total #:item))
(in-package :shop)
(defvar *tax* 7)
(defclass item () ((price :initarg :price :reader price :type number :documentation "In cents.")))
(defclass book (item) ())
(defmacro with-tax (form) \`(+ *tax* ,form))
(defun total (items) "The sum." (with-tax (reduce #'+ items :key #'price)))
(defun checkout (items) (list :pay (total items)))
`,
  );
  await client.evaluate(`(load (compile-file ${JSON.stringify(file)}))`);
}, 120_000);

afterAll(() => bench.close());

describe('D10 looking up as a client sees it', () => {
  it.each<[string, string, Record<string, unknown>, RegExp]>([
    [
      'searches names',
      'apropos-search',
      { pattern: 'checko', package: 'shop' },
      /^- SHOP::CHECKOUT \[function\] \(ITEMS\)$/,
    ],
    ['says when no name fits', 'apropos-search', { pattern: 'zzzzz' }, /^No name contains "zzzzz"\.$/],
    [
      'X17 tells a lambda list',
      'function-arglist',
      { function: 'shop:total' },
      /^SHOP:TOTAL \[function\] \((SHOP::)?ITEMS\)$/,
    ],
    [
      'finds definitions',
      'find-definition',
      { symbol: 'total', package: 'SHOP' },
      /^- TOTAL \[function\] .*shop\.lisp:7$/,
    ],
    [
      'finds callers',
      'who-calls',
      { function: 'shop:total' },
      /CHECKOUT \[function\] .*shop\.lisp:8: .*\(total items\)/,
    ],
    ['finds references', 'who-references', { variable: '*tax*', package: 'shop' }, /TOTAL .*shop\.lisp:7/],
    ['finds what expands a macro', 'cross-references', { symbol: 'shop::with-tax', relation: 'macroexpands' }, /TOTAL/],
    [
      'lists a package',
      'list-package-symbols',
      { package: 'shop' },
      /^\[External\] 2\n- SHOP:ITEM \[class\].*\n- SHOP:TOTAL \[function\] .*: The sum\.$/,
    ],
    [
      'tells slots',
      'class-slots',
      { class: 'shop:item' },
      /PRICE: type NUMBER; initargs :PRICE; readers .*PRICE; from .*ITEM\. In cents\./,
    ],
    [
      'tells a hierarchy',
      'class-hierarchy',
      { class: 'shop::book' },
      /Superclasses: SHOP:ITEM\nSubclasses: none\nPrecedence: SHOP::BOOK → SHOP:ITEM → STANDARD-OBJECT/,
    ],
    [
      'tells methods',
      'generic-function-methods',
      { function: 'shop::price' },
      /method combination STANDARD\n- .*PRICE \(.*ITEM\)/,
    ],
    ['expands a form', 'macroexpand-form', { form: '(with-tax 3)', package: 'shop' }, /^\(\+ \*TAX\* 3\)$/i],
    ['disassembles', 'disassemble-function', { function: 'shop:total' }, /disassembly for/],
    ['checks syntax', 'validate-syntax', { code: '(defun f (x' }, /^1:\d+ error: /],
    ['finds nothing wrong', 'validate-syntax', { code: '(defun f (x) x)' }, /^The text can be read\.$/],
  ])('%s', async (_, tool, args, answer) => {
    expect((await client.call(tool, args)).text).toMatch(answer);
  });

  it.each<[string, string, Record<string, unknown>, RegExp]>([
    [
      'X42 a name that is not there',
      'who-calls',
      { function: 'shop::totall' },
      /^Symbol SHOP::TOTALL not found in package SHOP\. Near names: SHOP:TOTAL/,
    ],
    [
      'a name of another kind',
      'class-slots',
      { class: 'shop:total' },
      /^SHOP:TOTAL names no class\. It names: function\.$/,
    ],
    [
      'a package that is not there',
      'list-package-symbols',
      { package: 'nowhere' },
      /^Package nowhere does not exist\.$/,
    ],
  ])('fails with what to look for instead: %s', async (_, tool, args, answer) => {
    expect(await client.call(tool, args)).toMatchObject({
      isError: true,
      text: expect.stringMatching(answer) as unknown,
    });
  });
});

describe('checkpoints as a client sees them', () => {
  it('are made, listed and gone back to', async () => {
    await client.evaluate('(defvar *state* :before)');
    const made = (await client.call('checkpoint', { label: 'mine' })).text;
    const id = Number(/^Checkpoint (\d+): mine$/.exec(made)?.[1]);
    await client.evaluate('(setf *state* :after)');
    expect((await client.call('checkpoint', { list: true })).text).toMatch(new RegExp(`^- ${id}: mine \\(`));
    expect((await client.call('rewind', { id })).text).toBe(`The image is back at checkpoint ${id}.`);
    expect(await client.evaluate('*state*')).toBe('=> :BEFORE');
    expect(await client.call('rewind', { id: 99 })).toMatchObject({
      isError: true,
      text: 'Tool error: There is no checkpoint 99 any more.',
    });
  });

  it('are refused with the reason while a thread runs', async () => {
    await client.evaluate('(defvar *t* (sb-thread:make-thread (lambda () (sleep 1000)) :name "server"))');
    expect((await client.call('checkpoint')).text).toBe('Tool error: No checkpoint: 1 thread is running: server.');
    await client.evaluate('(sb-thread:terminate-thread *t*)');
  });
});
