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
(defmacro failing-macro () (error "no expansion"))
(defun checkout (items) (list :pay (total items)))
(defun (setf label) (new item) (list new item))
(defgeneric (setf stock) (new item))
(defmethod (setf stock) (new (item item)) new)
(defpackage :shop-user (:use :cl) (:local-nicknames (:s :shop)))
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
    [
      'searches names with a prefix',
      'apropos-search',
      { pattern: 'shop::checko' },
      /^- SHOP::CHECKOUT \[function\] \(ITEMS\)$/,
    ],
    [
      'says where no name fits',
      'apropos-search',
      { pattern: 'zzz', package: 'shop' },
      /^No name in the package shop contains "zzz"\.$/,
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
      /CHECKOUT \[function\] .*shop\.lisp:9: .*\(total items\)/,
    ],
    [
      'finds a package by its name',
      'find-definition',
      { symbol: 'shop', package: 'cl' },
      /^- SHOP \[package\] .*shop\.lisp(:1)?$/,
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
    [
      'X17 tells the lambda list of a setf function',
      'function-arglist',
      { function: '(setf shop::label)' },
      /^\(SETF SHOP::LABEL\) \[setf function\] \(NEW ITEM\)$/,
    ],
    ['disassembles a setf function', 'disassemble-function', { function: '(setf shop::label)' }, /SETF SHOP::LABEL/],
    [
      'tells methods of a setf function',
      'generic-function-methods',
      { function: '(setf shop::stock)' },
      /^\(SETF .*STOCK\) .*\n- \(SETF .*STOCK\) \(T .*ITEM\)/,
    ],
    [
      'says who is to be asked about a macro',
      'who-calls',
      { function: 'shop::with-tax' },
      /^No code that is loaded calls SHOP::WITH-TAX\. It is a macro: cross-references with the relation macroexpands /,
    ],
    [
      'says that a function is no variable',
      'who-references',
      { variable: 'shop:total' },
      /refers to SHOP:TOTAL\. It names no variable but: function\.$/,
    ],
    [
      'lists names without a meaning too',
      'list-package-symbols',
      { package: 'shop', include_internal: true },
      /\n- SHOP::FORM\n/,
    ],
    [
      'X42 follows a local nickname',
      'describe-symbol',
      { symbol: 's:total', package: 'shop-user' },
      /^SHOP:TOTAL \[function\]/,
    ],
    ['disassembles', 'disassemble-function', { function: 'shop:total' }, /disassembly for/],
    ['checks syntax', 'validate-syntax', { code: '(defun f (x' }, /^1:\d+ error: /],
    [
      'counts the forms',
      'validate-syntax',
      { code: '(a . b) #(1) (c . #+sbcl d #-sbcl e) #\\Space' },
      /^The text can be read: 4 forms\.$/,
    ],
    [
      'finds dots that stand wrong',
      'validate-syntax',
      { code: '(a . b c)\n(a .)\n( . a)\n#(a . b)\n(a . b . c)' },
      /^1:4 error: More than one form follows this dot\.\n2:4 error: Nothing follows .*\n3:3 error: Nothing stands before .*\n4:5 error: A vector .*\n5:4 error: More .*\n5:8 error: There is a dot/,
    ],
    [
      'finds characters of other Lisps',
      'validate-syntax',
      { code: '#\\Foo' },
      /^1:1 note: SBCL knows no character named Foo\.$/,
    ],
    ['finds nothing wrong', 'validate-syntax', { code: '(defun f (x) x)' }, /^The text can be read: 1 form\.$/],
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
    ...[
      ['list-package-symbols', { package: 'shpo' }],
      ['apropos-search', { pattern: 'x', package: 'shpo' }],
      ['function-arglist', { function: 'total', package: 'shpo' }],
      ['find-definition', { symbol: 'shpo:total' }],
      ['who-calls', { function: 'total', package: 'shpo' }],
      ['class-slots', { class: 'item', package: 'shpo' }],
      ['class-hierarchy', { class: 'shpo:item' }],
      ['generic-function-methods', { function: 'price', package: 'shpo' }],
      ['macroexpand-form', { form: '(when 1 2)', package: 'shpo' }],
      ['disassemble-function', { function: 'total', package: 'shpo' }],
      ['validate-syntax', { code: '1', package: 'shpo' }],
      ['describe-symbol', { symbol: 'total', package: 'shpo' }],
      ['inspect-object', { expression: '*tax*', package: 'shpo' }],
      ['list-definitions', { package: 'shpo' }],
    ].map(
      ([tool, args]) =>
        [
          `${tool as string} in a package with a slip`,
          tool,
          args,
          /^Package shpo does not exist\. Near names: SHOP\.$/,
        ] as [string, string, Record<string, unknown>, RegExp],
    ),
    [
      'X42 the name of a package',
      'describe-symbol',
      { symbol: 'shop' },
      / SHOP is a package: list-package-symbols shows/,
    ],
    [
      'X42 a name that another package keeps',
      'describe-symbol',
      { symbol: 'checkout' },
      /Near names: SHOP::CHECKOUT\.$/,
    ],
    [
      'a class with a slip',
      'class-slots',
      { class: 'shop:itme' },
      /^Symbol SHOP:ITME not found in package SHOP\. Near names: SHOP:ITEM/,
    ],
    ['a form that ends too early', 'macroexpand-form', { form: '(when (x' }, /^Tool error: end of file$/],
    [
      'a package in a form',
      'macroexpand-form',
      { form: '(nowhere:x ">")' },
      /^Tool error: Package NOWHERE does not exist\.$/,
    ],
    [
      'several forms',
      'macroexpand-form',
      { form: '(when 1 2) (when 3 4)' },
      /^Tool error: There is more than one form\. Give one\.$/,
    ],
    [
      'text to compile that ends too early',
      'compile-form',
      { form: '(list' },
      /read-error 1:1: END-OF-FILE: end of file$/,
    ],
    [
      'a macro that signals',
      'macroexpand-form',
      { form: '(shop::failing-macro)', package: 'shop' },
      /^Tool error: no expansion/,
    ],
    ['a system with a slip', 'describe-system', { system: 'alexandira' }, /^Tool error: .*\. Near names: alexandria/],
    ['the tests of a system with a slip', 'run-tests', { system: 'alexandira' }, /Near names: alexandria/],
  ])('fails with what to look for instead: %s', async (_, tool, args, answer) => {
    expect(await client.call(tool, args)).toMatchObject({
      isError: true,
      text: expect.stringMatching(answer) as unknown,
    });
  });
});

describe('K6 names that are no names', () => {
  const tools: [string, string][] = [
    ['describe-symbol', 'symbol'],
    ['function-arglist', 'function'],
    ['find-definition', 'symbol'],
    ['who-calls', 'function'],
    ['who-references', 'variable'],
    ['class-slots', 'class'],
    ['class-hierarchy', 'class'],
    ['generic-function-methods', 'function'],
    ['disassemble-function', 'function'],
    ['inspect-object', 'expression'],
  ];

  it.each(tools)('%s answers to each of them, and interns nothing', async (tool, parameter) => {
    const count = '(let ((n 0)) (do-all-symbols (s n) (when (search "HOSTILE" (symbol-name s)) (incf n))))';
    await client.call('eval-form', { form: '(make-symbol "HOSTILE")' });
    const before = (await client.call('eval-form', { form: count })).text;
    for (const name of [
      'hostile-name',
      '(',
      '#.(error "evaluated")',
      '"hostile',
      '|hostile',
      'a:b:c',
      ':',
      '::',
      '\u0000',
      ' ',
    ])
      expect(await client.call(tool, { [parameter]: name })).toMatchObject({ isError: true });
    expect((await client.call('eval-form', { form: count })).text).toBe(before);
  });

  it('a current package that was deleted is CL-USER again', async () => {
    const other = await bench.connect();
    await other.evaluate('(defpackage :doomed (:use :cl)) (in-package :doomed)');
    await client.evaluate('(delete-package :doomed)');
    expect((await other.call('function-arglist', { function: 'car' })).text).toMatch(/^CAR \[function\]/);
    expect((await other.call('eval-form', { form: '(package-name *package*)' })).text).toBe('COMMON-LISP-USER');
    expect((await other.call('compile-form', { form: '(defun after () 1)' })).isError).toBe(false);
    expect((await other.call('inspect-object', { expression: '*package*' })).text).toContain('COMMON-LISP-USER');
  });
});

describe('long answers', () => {
  it('say how to get the rest', async () => {
    expect((await client.call('apropos-search', { pattern: 'a' })).text).toMatch(
      /… and \d+ more\. Search for more of the name, or in a package\.$/,
    );
    expect((await client.call('list-package-symbols', { package: 'cl' })).text).toMatch(
      /… and \d+ more\. Find them by a part of their name with apropos-search in this package\.$/,
    );
    await client.evaluate(
      '(defun used () 1) (dotimes (i 205) (eval `(defun ,(intern (format nil "USER-~D" i)) () (used))))',
    );
    expect((await client.call('who-calls', { function: 'used' })).text).toMatch(
      /… and 5 more\. Use cross-references with the relation called-by and start 200\.$/,
    );
    const rest = await client.call('cross-references', { symbol: 'used', relation: 'called-by', start: 200 });
    expect(rest.text.split('\n')).toHaveLength(5);
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
      text: expect.stringMatching(
        new RegExp(`^Tool error: There is no checkpoint 99 \\(any more\\)\\.\\n(.*\\n)*- ${id}: mine \\(`),
      ) as unknown,
    });
  });

  it('are refused with the reason while a thread runs', async () => {
    await client.evaluate('(defvar *t* (sb-thread:make-thread (lambda () (sleep 1000)) :name "server"))');
    expect((await client.call('checkpoint')).text).toBe('Tool error: No checkpoint: 1 thread is running: server.');
    await client.evaluate('(sb-thread:terminate-thread *t*)');
  });
});
