import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { decideNext, nextCard } from '#core/approvals/decide.fixture.ts';
import { projectFiles, yes } from '../project-files.fixture.ts';

const files = projectFiles();
const at = (name: string): string => path.join(files.bench.project, name);
const text = (name: string): Promise<string> => readFile(at(name), 'utf8');
const approvals = () => files.bench.workbench.approvals;

const PACKAGES = `(defpackage #:stock
  (:use #:cl)
  (:export #:ware #:total "REPORT" :price))

(defpackage #:stock/tests
  (:use #:cl #:stock)
  (:import-from #:stock #:total))
`;

const CODE = `(in-package #:stock)

(defclass ware () ((price :initarg :price :accessor price)))

(defvar *wares* '())

(defun total (wares)
  "The TOTAL of all."
  ;; total
  (reduce #'+ wares :key #'price))

(defun report (&key (total 0) wares)
  (list total (total wares) 'total :total (make-instance 'ware :price 1)))
`;

const TESTS = `(in-package #:stock/tests)

(defun check ()
  (assert (= 3 (total (list (make-instance 'stock:ware :price 1) (make-instance 'ware :price 2))))))
`;

async function project(): Promise<void> {
  await files.client.evaluate(
    `(dolist (name '("STOCK/TESTS" "STOCK")) (when (find-package name) (delete-package name)))`,
  );
  await writeFile(at('src/packages.lisp'), PACKAGES);
  await writeFile(at('src/stock.lisp'), CODE);
  await writeFile(at('src/tests.lisp'), TESTS);
  for (const name of ['packages', 'stock', 'tests'])
    expect(await files.client.call('load-file', { path: `src/${name}.lisp` })).toMatchObject({ isError: false });
}

describe('rename-symbol', () => {
  it('A function is renamed with its uses and exports, local variables and keywords stay, and the image follows [issue 35.1]', async () => {
    await project();
    const reply = files.client.call('rename-symbol', { symbol: 'stock:total', new_name: 'sum-of' });
    const card = await nextCard(approvals());
    expect(card).toMatchObject({ headline: 'Rename TOTAL to sum-of, 6 places in 3 files', choosable: false });
    await decideNext(approvals(), yes);
    expect(await reply).toMatchObject({
      isError: false,
      text: expect.stringMatching(/^Renamed TOTAL to sum-of: 6 places in .*The image was changed too/s) as string,
    });
    expect(await text('src/packages.lisp')).toBe(PACKAGES.replaceAll('#:total', '#:sum-of'));
    expect(await text('src/stock.lisp')).toBe(
      CODE.replace('(defun total', '(defun sum-of')
        .replace('(total wares)', '(sum-of wares)')
        .replace("'total", "'sum-of"),
    );
    expect(await text('src/tests.lisp')).toBe(TESTS.replace('(total', '(sum-of'));
    expect(await files.client.evaluate('(stock/tests::check)')).toContain('=> NIL');
    expect(
      await files.client.evaluate(
        '(list (fboundp (find-symbol "TOTAL" :stock)) (find-symbol "TOTAL" :stock/tests) (nth-value 1 (find-symbol "TOTAL" :stock)) (nth-value 1 (find-symbol "SUM-OF" :stock)))',
      ),
    ).toContain('(NIL NIL :INTERNAL :EXTERNAL)');
  });

  it('A file that is not loaded is renamed and not loaded [issue 35.1]', async () => {
    await project();
    await writeFile(at('src/later.lisp'), '(in-package #:not-there)\n(stock:total 1)\n(error "loaded")\n');
    const reply = files.client.call('rename-symbol', { symbol: 'stock:total', new_name: 'sum-of' });
    await decideNext(approvals(), yes);
    expect(await reply).toMatchObject({ isError: false });
    expect(await text('src/later.lisp')).toContain('(stock:sum-of 1)');
    await rm(at('src/later.lisp'));
  });

  it('A class is renamed and its live instances are of the new one [issue 35.1]', async () => {
    await project();
    await files.client.evaluate("(setf stock::*wares* (list (make-instance 'stock:ware :price 7)))");
    const reply = files.client.call('rename-symbol', { symbol: 'ware', new_name: 'item', package: 'stock/tests' });
    await decideNext(approvals(), yes);
    expect(await reply).toMatchObject({ isError: false });
    expect(
      await files.client.evaluate(
        '(list (typep (first stock::*wares*) \'stock:item) (stock:price (first stock::*wares*)) (find-class (find-symbol "WARE" :stock) nil) (class-name (class-of (first stock::*wares*))))',
      ),
    ).toContain('(T 7 NIL STOCK:ITEM)');
    expect(await text('src/tests.lisp')).toContain("(make-instance 'stock:item :price 1)");
  });

  it('An accessor is renamed and the slot of its name stays, with its values [issue 35.1]', async () => {
    await project();
    await files.client.evaluate("(setf stock::*wares* (list (make-instance 'stock:ware :price 7)))");
    const reply = files.client.call('rename-symbol', { symbol: 'stock:price', new_name: 'cost' });
    await decideNext(approvals(), yes);
    expect(await reply).toMatchObject({ isError: false });
    expect(await text('src/stock.lisp')).toContain('((price :initarg :price :accessor cost))');
    expect(
      await files.client.evaluate(
        '(list (stock:cost (first stock::*wares*)) (setf (stock:cost (first stock::*wares*)) 8))',
      ),
    ).toContain('(7 8)');
    // The renamed accessor still works after the class is redefined.
    await files.client.call('load-file', { path: 'src/stock.lisp' });
    expect(
      await files.client.evaluate(
        '(progn (eval (read-from-string "(defclass stock:ware () ((stock::price :accessor stock:cost) (more :initform 1)))")) (list (stock:cost (first stock::*wares*)) (slot-value (first stock::*wares*) (read-from-string "stock::price"))))',
      ),
    ).toContain('(8 8)');
  });

  it('Strings are changed when that is asked for, and a dry run only lists the places [issue 35.1]', async () => {
    await project();
    const { text: listed } = await files.client.call('rename-symbol', {
      symbol: 'stock:total',
      new_name: 'sum-of',
      strings: true,
      dry_run: true,
    });
    expect(listed).toMatch(/^TOTAL \(function\) would become sum-of in 7 places of 3 files\.\n/);
    expect(listed).toContain(
      '\nsrc/packages.lisp:7: (:import-from #:stock #:sum-of))\nsrc/stock.lisp:7: (defun sum-of (wares)\n',
    );
    expect(listed.split('\n').map((line) => /^[^:]+:\d+/.exec(line)?.[0])).toEqual([
      undefined,
      'src/packages.lisp:3',
      'src/packages.lisp:7',
      'src/stock.lisp:7',
      'src/stock.lisp:8',
      'src/stock.lisp:13',
      'src/tests.lisp:4',
    ]);
    expect(approvals().view().waiting).toEqual([]);
    expect(await text('src/stock.lisp')).toBe(CODE);
  });

  it.each([
    [
      'a name that is taken',
      'stock:total',
      'report',
      /TOTAL cannot be renamed to report\. REPORT already means .*STOCK.*REPORT in package STOCK/,
    ],
    ['a name of the standard', 'stock:total', 'list', /LIST already means .*LIST in package/],
    ['no name', 'stock:total', 'a b', /"a b" is not the name of a symbol/],
    ['a symbol that there is not', 'stock:nothing', 'x', /stock:nothing not found|Symbol .* not found/],
    ['a symbol of a locked package', 'cl:car', 'first-of', /Package COMMON-LISP is locked/],
  ])(
    'A rename to or of %s is refused in plain words and changes nothing [issue 35.1]',
    async (_what, symbol, new_name, expected) => {
      await project();
      const reply = await files.client.call('rename-symbol', { symbol, new_name });
      expect(reply).toMatchObject({ isError: true, text: expect.stringMatching(expected) as string });
      expect(await text('src/stock.lisp')).toBe(CODE);
    },
  );
});
