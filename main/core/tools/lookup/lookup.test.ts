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

describe('lookups as a client sees them', () => {
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
      'tells a lambda list [X17]',
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
    ['finds what expands a macro', 'who-calls', { function: 'shop::with-tax' }, /TOTAL/],
    ['finds what refers to a variable', 'who-calls', { function: '*tax*', package: 'shop' }, /TOTAL .*shop\.lisp:7/],
    ['finds what specializes on a class', 'who-calls', { function: 'shop:item' }, /STOCK/],
    [
      'lists a package',
      'list-package-symbols',
      { package: 'shop' },
      /^\[External\] 2\n- ITEM \[class\].*\n- TOTAL \[function\] .*: The sum\.$/,
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
      'describe-symbol',
      { symbol: 'shop::price' },
      /Methods, combination STANDARD:\n- .*PRICE \(.*ITEM\)/,
    ],
    ['expands a form', 'macroexpand-form', { form: '(with-tax 3)', package: 'shop' }, /^\(\+ \*TAX\* 3\)$/i],
    [
      'tells the lambda list of a setf function [X17]',
      'function-arglist',
      { function: '(setf shop::label)' },
      /^\(SETF SHOP::LABEL\) \[setf function\] \(NEW ITEM\)$/,
    ],
    ['disassembles a setf function', 'disassemble-function', { function: '(setf shop::label)' }, /SETF SHOP::LABEL/],
    [
      'tells methods of a setf function',
      'describe-symbol',
      { symbol: '(setf shop::stock)' },
      /Methods, combination STANDARD:\n- \(SETF .*STOCK\) \(T .*ITEM\)/,
    ],
    [
      'says that a function is no variable',
      'who-references',
      { variable: 'shop:total' },
      /refers to SHOP:TOTAL\. It is not a variable but: function\.$/,
    ],
    [
      'lists names without a meaning too',
      'list-package-symbols',
      { package: 'shop', include_internal: true },
      /\n- FORM\n/,
    ],
    [
      'follows a local nickname [X42]',
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
      /^The syntax is correct: 4 forms\.$/,
    ],
    [
      'finds dots that stand wrong',
      'validate-syntax',
      { code: '(a . b c)\n(a .)\n( . a)\n#(a . b)\n(a . b . c)' },
      /^1:4 error: More than one form follows this dot\.\n2:4 error: Nothing follows .*\n3:3 error: Nothing precedes .*\n4:5 error: A vector .*\n5:4 error: More .*\n5:8 error: There is a dot/,
    ],
    [
      'finds characters of other Lisps',
      'validate-syntax',
      { code: '#\\Foo' },
      /^1:1 note: SBCL has no character named Foo\.$/,
    ],
    ['finds nothing wrong', 'validate-syntax', { code: '(defun f (x) x)' }, /^The syntax is correct: 1 form\.$/],
  ])('A lookup %s', async (_, tool, args, answer) => {
    expect((await client.call(tool, args)).text).toMatch(answer);
  });

  it.each<[string, string, Record<string, unknown>, RegExp]>([
    [
      'a name that is not there [X42]',
      'who-calls',
      { function: 'shop::totall' },
      /^Symbol SHOP::TOTALL not found in package SHOP\. Did you mean SHOP:TOTAL/,
    ],
    [
      'a name of another kind',
      'class-slots',
      { class: 'shop:total' },
      /^SHOP:TOTAL does not name a class\. It is defined as: function\.$/,
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
      ['describe-symbol', { symbol: 'price', package: 'shpo' }],
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
          /^Package shpo does not exist\. Did you mean SHOP\?$/,
        ] as [string, string, Record<string, unknown>, RegExp],
    ),
    [
      'the name of a package [X42]',
      'describe-symbol',
      { symbol: 'shop' },
      / SHOP is a package: call-tool .*"list-package-symbols".* shows/,
    ],
    [
      'a name that another package keeps [X42]',
      'describe-symbol',
      { symbol: 'checkout' },
      /Did you mean SHOP::CHECKOUT\?$/,
    ],
    [
      'a class with a slip',
      'class-slots',
      { class: 'shop:itme' },
      /^Symbol SHOP:ITME not found in package SHOP\. Did you mean SHOP:ITEM/,
    ],
    [
      'a form that ends too early',
      'macroexpand-form',
      { form: '(when (x' },
      /^Tool error: end of file\n\n\[Unbalanced\]\nLine 1, column 1: \(when \(x is never closed\./,
    ],
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
      /read-error 1:1: END-OF-FILE: \(list …\), which begins at line 1, is not closed .*\n\n\[Unbalanced\]\nLine 1, column 1: \(list is never closed\. Insert \) at the end of line 1\.$/,
    ],
    [
      'a macro that signals',
      'macroexpand-form',
      { form: '(shop::failing-macro)', package: 'shop' },
      /^Tool error: no expansion/,
    ],
    ['a system with a slip', 'list-systems', { system: 'alexandira' }, /^Tool error: .*\. Did you mean alexandria/],
    ['the tests of a system with a slip', 'run-tests', { system: 'alexandira' }, /Did you mean alexandria/],
  ])('A lookup fails with what to look for instead: %s', async (_, tool, args, answer) => {
    expect(await client.call(tool, args)).toMatchObject({
      isError: true,
      text: expect.stringMatching(answer) as unknown,
    });
  });
});

describe('names that are no names', () => {
  const tools: [string, string][] = [
    ['describe-symbol', 'symbol'],
    ['function-arglist', 'function'],
    ['find-definition', 'symbol'],
    ['who-calls', 'function'],
    ['who-references', 'variable'],
    ['class-slots', 'class'],
    ['class-hierarchy', 'class'],
    ['disassemble-function', 'function'],
    ['inspect-object', 'expression'],
  ];

  it.each(tools)('The tool %s answers to names that are none, and interns nothing [K6]', async (tool, parameter) => {
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

  it('A current package that was deleted becomes CL-USER again [K6]', async () => {
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
  it('Long answers say how to get the rest [D10]', async () => {
    expect((await client.call('apropos-search', { pattern: 'a' })).text).toMatch(
      /… and \d+ more\. Give more of the name, or a package such as CL\.$/,
    );
    expect((await client.call('list-package-symbols', { package: 'cl' })).text).toMatch(
      /… and 778 more\. Call again with start 200\.$/,
    );
    await client.evaluate(
      '(defun used () 1) (dotimes (i 205) (eval `(defun ,(intern (format nil "USER-~D" i)) () (used))))',
    );
    expect((await client.call('who-calls', { function: 'used' })).text).toMatch(
      /… and 5 more\. Use who-calls with the relation called-by and start 200\.$/,
    );
    const rest = await client.call('who-calls', { function: 'used', relation: 'called-by', start: 200 });
    expect(rest.text.split('\n')).toHaveLength(5);
  });
});

describe("look-ups where SBCL's own definitions are many", () => {
  beforeAll(async () => {
    await client.evaluate(
      `(progn (in-package :cl-user) (defstruct basket-like a)
       (defmethod print-object ((it basket-like) stream) (write-string "b" stream))
       (defun my-string-join (a b) (list (car a) (car b))))`,
    );
  });

  it("Names, methods and callers of the user's are listed, and SBCL's own are counted [issue 35.1]", async () => {
    const names = (await client.call('apropos-search', { pattern: 'string-' })).text;
    expect(names).toMatch(
      /^- MY-STRING-JOIN \[function\] \(A B\)\n… and \d+ more\. Give more of the name, or a package such as CL\.$/,
    );
    const methods = (await client.call('find-definition', { symbol: 'print-object' })).text;
    expect(methods).toContain('PRINT-OBJECT (BASKET-LIKE T) [method]');
    expect(methods).toContain('- PRINT-OBJECT [generic-function]');
    expect(methods).not.toContain('(RATIO T)');
    expect(methods).toMatch(
      /\n… and \d+ more\. The others are SBCL's own methods; "print-object \(cons\)" finds the method for the class CONS\./,
    );
    expect((await client.call('find-definition', { symbol: 'print-object (ratio)' })).text).toContain('(RATIO T)');
    const callers = (await client.call('who-calls', { function: 'car', count: 5 })).text;
    expect(callers).not.toContain('SB-');
  });

  it("Where only code of SBCL's own calls a function, a few of it are listed, and the others page by page [issue 35.1]", async () => {
    const { text } = await client.call('who-calls', { function: 'sb-int:info' });
    const [, start] =
      /\n… and \d+ more\. The others are in SBCL's own code\. Use who-calls with the relation called-by and start (\d+)\.$/.exec(
        text,
      )!;
    expect(text.split('\n').length).toBeLessThanOrEqual(25);
    const next = await client.call('who-calls', {
      function: 'sb-int:info',
      relation: 'called-by',
      start: Number(start),
      count: 30,
    });
    expect(next.text.split('\n- ').length).toBeGreaterThan(5);
  });
});

describe('look-ups of sources and callers', () => {
  beforeAll(async () => {
    await writeFile(
      path.join(bench.project, 'calls.lisp'),
      `(defpackage :calls (:use :cl :fiveam) (:export #:low-stock)) (in-package :calls)
(defun low-stock (n) (< n 3))
(defun unused (n) n)
(test stock (is (low-stock 1)))
(defvar *low* (low-stock 5))
; (low-stock 7)
(defun alone () 1)
`,
    );
    await writeFile(
      path.join(bench.project, 'calls.asd'),
      '(defsystem "calls" :depends-on ("fiveam") :components ((:file "calls")))',
    );
    await client.call('load-system', { system: 'calls' });
  }, 60_000);

  it('Who-calls tells of tests and other top-level forms, with paths of the project [issue 35.1]', async () => {
    const { text } = await client.call('who-calls', { function: 'calls:low-stock' });
    expect(text).toContain('(test stock …) calls.lisp:4: (test stock (is (low-stock 1)))');
    expect(text).toContain('(defvar *low* …) calls.lisp:5: (defvar *low* (low-stock 5))');
    expect(text).not.toContain('calls.lisp:6');
    expect(text).not.toContain(bench.project);
    const none = await client.call('who-calls', { function: 'calls::alone' });
    expect(none.text).toMatch(
      /^No loaded code calls CALLS::ALONE\. Calls from top-level forms are not recorded; no other form/,
    );
  });

  it('The source of a library is shown, read, listed and searched, but not written [issue 35.1]', async () => {
    const { text } = await client.call('find-definition', { symbol: 'fiveam:explain!', source: true });
    const [, file] = /(\S+run\.lisp):\d+/.exec(text) ?? [];
    expect(text).toContain('(defun explain! (result-list)');
    expect((await client.call('read-file', { path: file!, limit: 3 })).text).toContain(';;;; -*-');
    const folder = path.dirname(file!);
    expect((await client.call('list-directory', { path: folder })).text).toContain('run.lisp');
    expect((await client.call('search-files', { path: folder, pattern: 'defun explain!' })).text).toContain(
      'run.lisp:',
    );
    expect(await client.call('write-file', { path: file!, content: '' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('is outside the project') as unknown,
    });
    expect((await client.call('read-file', { path: '/etc/hostname' })).text).toMatch(
      /outside the source folders of loaded systems\. Load the system that it belongs to with load-system/,
    );
  });

  it('Slots of a class are not called a lambda list [issue 35.1]', async () => {
    const { text } = await client.call('describe-symbol', { symbol: 'shop:item' });
    expect(text).toMatch(/\nSlots:\n- SHOP::PRICE: type NUMBER; /);
    expect(text).toMatch(/\nSuperclasses: STANDARD-OBJECT\nSubclasses: SHOP::BOOK\n/);
    expect(text).not.toContain('Lambda list');
    expect(text).toContain('Defined in: shop.lisp:');
  });
});

describe('checkpoints as a client sees them', () => {
  it('Checkpoints are made, listed and gone back to', async () => {
    await client.evaluate('(defvar *state* :before)');
    const made = (await client.call('checkpoint', { label: 'mine' })).text;
    const id = Number(/^Checkpoint (\d+): mine$/m.exec(made)?.[1]);
    await client.evaluate('(setf *state* :after)');
    expect((await client.call('checkpoint', { list: true })).text).toMatch(new RegExp(`^- ${id}: mine \\(`, 'm'));
    expect((await client.call('rewind', { id })).text).toBe(`The image is back at checkpoint ${id}.`);
    expect(await client.evaluate('*state*')).toBe('=> :BEFORE');
    const again = /Checkpoint (\d+)/.exec((await client.call('checkpoint', { label: 'by its label' })).text)![1];
    for (const given of ['by its label', again])
      expect((await client.call('rewind', { id: given })).text).toBe(`The image is back at checkpoint ${again}.`);
    expect(await client.call('rewind', { id: 99 })).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        new RegExp(`^Tool error: There is no checkpoint 99; it may have been deleted\\.\\n(.*\\n)*- ${id}: mine \\(`),
      ) as unknown,
    });
  });

  it('A checkpoint is refused with the reason while a thread runs', async () => {
    await client.evaluate('(defvar *t* (sb-thread:make-thread (lambda () (sleep 1000)) :name "server"))');
    expect((await client.call('checkpoint')).text).toBe('Tool error: No checkpoint: 1 thread is running: server.');
    await client.evaluate('(sb-thread:terminate-thread *t*)');
  });
});
