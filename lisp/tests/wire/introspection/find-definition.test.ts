/** The operation `find-definition`, which returns the source locations of definitions. */
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHOP, shopImage } from './shop.fixture.ts';

const { lisp, file } = await shopImage();

const here = { context: 'test', package: null };

describe('definitions', () => {
  const find = (symbol: string, pkg: string | null = 'shop') =>
    lisp.ask('find-definition', { context: 'test', package: pkg, symbol });
  const texts = async (symbol: string) =>
    (await find(symbol)).definitions.map(({ kind, name, source, end }) => {
      expect(source?.file).toBe(file);
      const text = SHOP.slice(source!.offset!, end!);
      expect(SHOP.slice(0, source!.offset!).split('\n')).toHaveLength(source!.line!);
      return [kind, name, text];
    });

  it('Definitions stand where their text begins and ends, whatever their kind [D4]', async () => {
    const line = (start: string) => SHOP.split('\n').find((text) => text.startsWith(start))!;
    expect(await texts('price')).toEqual([
      ['function', 'PRICE', '(defun price (item) (+ item *tax*))'],
      ['setf-function', '(SETF PRICE)', '(defun (setf price) (value item) (list value item))'],
    ]);
    expect(await texts('total')).toEqual([
      ['function', 'TOTAL', "(defun total (items) (reduce #'+ (mapcar #'price items)))"],
      ['compiler-macro', 'TOTAL', line('(define-compiler-macro')],
    ]);
    expect(await texts('*tax*')).toEqual([['variable', '*TAX*', line('(defvar')]]);
    expect(await texts('+rate+')).toEqual([['constant', '+RATE+', line('(defconstant')]]);
    expect(await texts('with-till')).toEqual([['macro', 'WITH-TILL', line('(defmacro')]]);
    expect(await texts('item')).toEqual([['class', 'ITEM', line('(defclass item')]]);
    expect(await texts('point')).toEqual([['structure', 'POINT', line('(defstruct')]]);
    expect(await texts('make-point')).toEqual([['function', 'MAKE-POINT', line('(defstruct')]]);
    expect(await texts('sold-out')).toEqual([['condition', 'SOLD-OUT', line('(define-condition')]]);
    expect(await texts('amount')).toEqual([['type', 'AMOUNT', line('(deftype')]]);
    expect(await texts('till')).toEqual([['symbol-macro', 'TILL', line('(define-symbol-macro')]]);
    expect(await texts('shelf')).toEqual([['setf-expander', 'SHELF', line('(defsetf')]]);
    expect(await texts('loudest')).toEqual([['method-combination', 'LOUDEST', line('(define-method')]]);
    expect(await texts(':shop')).toEqual([['package', ':SHOP', line('(defpackage')]]);
  });

  it('The definitions of a generic function come with each of its methods [D4]', async () => {
    const found = (await texts('discount')).toSorted((one, other) => one[1]!.localeCompare(other[1]!));
    expect(found.map(([kind, name, text]) => [kind, name, text!.split('\n')[0]])).toEqual([
      ['generic-function', 'DISCOUNT', '(defgeneric discount (customer item)'],
      ['method', 'DISCOUNT :AROUND (SYMBOL T)', '(defmethod discount :around ((customer symbol) item)'],
      ['method', 'DISCOUNT (STRING T)', '(:method ((customer string) item) (price item))'],
      [
        'method',
        'DISCOUNT (SYMBOL T)',
        '(defmethod discount ((customer symbol) item) (setf *tax* (price (price item))))',
      ],
    ]);
  });

  it('Definitions that were evaluated from a file or a REPL tell so [D4]', async () => {
    const text = '(defun evaluated () 1)\n\n  (defun fresh () 2)';
    const other = path.join(lisp.directory, 'other.lisp');
    await writeFile(other, text);
    const { values } = await lisp.evaluate(text.slice(24), {
      source: { file: other, offset: 24, line: 3 },
      evaluation: 'of-file',
      actor: 'client:a',
    });
    expect(values).toHaveLength(1);
    await lisp.evaluate('(defun typed () 1)', { evaluation: 'of-repl' });
    expect((await find('fresh', null)).definitions).toEqual([
      {
        kind: 'function',
        name: 'FRESH',
        source: { file: other, offset: 26, line: 3 },
        end: text.length,
        snippet: '(defun fresh () 2)',
        evaluation: 'of-file',
        actor: 'client:a',
        why: null,
        evaluated: null,
      },
    ]);
    expect((await find('typed', null)).definitions).toEqual([
      {
        kind: 'function',
        name: 'TYPED',
        source: null,
        end: null,
        snippet: null,
        evaluation: 'of-repl',
        actor: 'person',
        why: 'It was evaluated in the REPL.',
        evaluated: { text: '(defun typed () 1)', package: 'COMMON-LISP-USER' },
      },
    ]);
  });

  it('A definition in no file comes with the form that was evaluated, whatever its kind [D4]', async () => {
    await lisp.value('(defpackage :typed-forms (:use :cl))');
    const inForms = { package: 'TYPED-FORMS', context: 'typing' };
    const forms = {
      item: '(defclass item () ((price :accessor price)))',
      point: '(defstruct point x)',
      'sold-out': '(define-condition sold-out (error) ((when-sold :reader when-sold)))',
      discount: '(defgeneric discount (item) (:method ((item string)) 1))',
      reduced: '(defgeneric (setf reduced) (value item))',
      shelf: '(defun (setf shelf) (value item) (list value item))',
      amount: '(deftype amount () t)',
      '*tax*': '(defvar *tax* 1)',
      '+rate+': '(defconstant +rate+ 1)',
      till: '(define-symbol-macro till 1)',
      'with-till': '(defmacro with-till () 1)',
      drawer: '(defsetf drawer (x) (v) `(list ,x ,v))',
      loudest: '(define-method-combination loudest :operator +)',
    };
    for (const form of Object.values(forms)) await lisp.value(form, inForms);
    const evaluated = async (symbol: string) =>
      (await find(symbol, 'typed-forms')).definitions.map((each) => each.evaluated);
    for (const [symbol, text] of Object.entries(forms))
      for (const each of await evaluated(symbol)) expect(each).toEqual({ text, package: 'TYPED-FORMS' });
    // Returns the text of each form that defines the symbol, including forms that define the symbol in addition to the name they are about.
    const around = async (symbol: string) => (await evaluated(symbol)).map((form) => form?.text);
    expect(await around('price')).toEqual(Array<string>(4).fill(forms.item));
    expect(await around('make-point')).toEqual([forms.point]);
    expect(await around('point-x')).toEqual([forms.point, forms.point]);
    expect(await around('when-sold')).toContain(forms['sold-out']);
    expect((await find(':typed-forms')).definitions).toMatchObject([
      { evaluated: { text: '(defpackage :typed-forms (:use :cl))' } },
    ]);
    // Each method from the same input has its own form. For an object defined by the user's own macro, the form is the macro call.
    const methods = ['(defmethod discount ((item symbol)) 2)', '(defmethod (setf reduced) (value (item symbol)) 3)'];
    await lisp.value(methods.join('\n'), inForms);
    expect(await around('discount')).toContain(methods[0]);
    expect(await around('reduced')).toContain(methods[1]);
    await lisp.value('(defmacro define-item (name) `(defclass ,name () ()))', inForms);
    await lisp.value('(define-item made)', inForms);
    expect(await around('made')).toEqual(['(define-item made)']);
  });

  it('Definitions are found by name in a file that was changed since it was loaded [D4]', async () => {
    const other = path.join(lisp.directory, 'moved.lisp');
    const text = '(defun moved () 1)\n(defun calls-moved () (list 2 (moved)))\n(defstruct moving x)\n';
    await writeFile(other, text);
    await utimes(other, 1_600_000_000, 1_600_000_000);
    await lisp.value(`(load (compile-file "${other}"))`);
    const added = `(defun new () (moved))\n(defun newer () 'moving)\n${text}`;
    await writeFile(other, added);
    const places = (found: { source: { offset: number | null } | null; end: number | null }[]) =>
      found.map(({ source, end }) => [source!.offset, added.slice(source!.offset!, end!)]);
    expect(places((await find('moved', null)).definitions)).toEqual([
      [added.indexOf('(defun moved'), '(defun moved () 1)'],
    ]);
    expect(places((await find('moving', null)).definitions)).toEqual([
      [added.indexOf('(defstruct'), '(defstruct moving x)'],
    ]);
    const { references } = await lisp.ask('cross-references', {
      ...here,
      symbol: 'moved',
      relation: 'called-by',
      limit: 5,
    });
    expect(places(references)).toEqual([[added.indexOf('2 (moved') + 3, 'moved']]);
    await rm(other);
    expect((await find('moved', null)).definitions).toMatchObject([
      { source: null, why: 'The file no longer exists.' },
    ]);
  });

  it("Definitions of SBCL's own are shown where its sources are, and else say why they cannot be [D4]", async () => {
    const sources = await mkdtemp(path.join(tmpdir(), 'sbcl-source-'));
    await lisp.value(`(sb-ext:set-sbcl-source-location "${sources}/")`);
    expect((await find('mapcar', null)).definitions[0]).toMatchObject({
      kind: 'function',
      name: 'MAPCAR',
      source: null,
      why: "SBCL's own source is not installed.",
    });
    const file = path.join(sources, 'src', 'code', 'list.lisp');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, '(in-package "SB-IMPL")\n\n(defun mapcar (function list &rest more-lists)\n  nil)\n');
    expect((await find('mapcar', null)).definitions[0]).toMatchObject({
      kind: 'function',
      name: 'MAPCAR',
      source: { file, line: 3 },
      why: null,
    });
    await rm(sources, { recursive: true });
    await expect(find('no-such-name-at-all', null)).resolves.toEqual({
      found: false,
      symbol: 'no-such-name-at-all',
      definitions: [],
      total: 0,
    });
  });
});
