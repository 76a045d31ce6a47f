/** Definition events in a real image: their undo, their comparison with files, and their export. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_LISTED, openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let test: TestImage;
beforeAll(async () => {
  test = await openTestImage();
});
afterAll(() => test.close());

const history = async (name: string) =>
  (await test.ask('definition-history', { package: 'COMMON-LISP-USER', name, evaluation: null, limit: 10 })).events;

describe('definition-history', () => {
  it('The operation definition-history tells each definition with its author, source location and text [P1]', async () => {
    await test.evaluate('(defun area (r) (* r r))\n(defun area (r) (* 3 r r))', {
      actor: 'client:a',
      evaluation: 'first',
      source: { file: '/shop/area.lisp', offset: 10, line: 3 },
    });
    const told = await test.next('definition-events');
    expect(told).toMatchObject({ evaluation: 'first', more: 0, events: [{ name: 'AREA' }, { name: 'AREA' }] });
    const [latest, first] = await history('area');
    expect(latest).toEqual({
      id: first!.id + 1,
      kind: 'function',
      name: 'AREA',
      package: 'COMMON-LISP-USER',
      operation: 'redefined',
      actor: 'client:a',
      author: null,
      code: null,
      evaluation: 'first',
      time: expect.any(Number),
      source: { file: '/shop/area.lisp', offset: 35, line: 4 },
      hasText: true,
      undoes: null,
      text: '(defun area (r) (* 3 r r))',
      readPackage: 'COMMON-LISP-USER',
      unchanged: false,
    });
    const { definitions } = await test.ask('list-definitions', { ...ALL_LISTED, package: null });
    expect(definitions.find(({ name }) => name === 'AREA')).toMatchObject({
      actor: 'client:a',
      event: latest!.id,
      evaluation: 'first',
      time: latest!.time,
    });
  });
});

describe('definitions beneath breakpoints and traces', () => {
  it('A breakpoint and a trace are no definition of whoever evaluates next, and what is defined beneath them is told [P1, issue 11.3]', async () => {
    const agent = { actor: 'client:a', context: 'a' };
    await test.evaluate('(defun guarded (n) n) (defun traced (n) n) (defun (setf placed) (new n) (list new n))');
    const before = [...(await history('guarded')), ...(await history('traced')), ...(await history('placed'))];
    for (const name of ['GUARDED', '(SETF PLACED)']) await test.ask('set-breakpoint', { function: name, set: true });
    await test.evaluate('(trace traced)');
    await test.evaluate('(eval (read-from-string "(setf (get :any :thing) 1)"))', agent);
    await test.evaluate('(untrace traced)', agent);
    expect([...(await history('guarded')), ...(await history('traced')), ...(await history('placed'))]).toEqual(before);
    await test.evaluate("(setf (symbol-function 'guarded) (lambda (n) (list n)))", agent);
    expect((await history('guarded'))[0]).toMatchObject({ actor: 'client:a', operation: 'redefined' });
    for (const name of ['GUARDED', '(SETF PLACED)']) await test.ask('set-breakpoint', { function: name, set: false });
    await test.evaluate('(setf (get :any :thing) 2)', agent);
    expect(await history('guarded')).toHaveLength(2);
  });
});

describe('undo-definitions', () => {
  it('The operation undo-definitions says before and does after, and its undo is a redo [P3]', async () => {
    await test.evaluate('(defun price () 1)');
    await test.evaluate('(defun price () 2)', { actor: 'client:a' });
    const [latest] = await history('price');
    const undo = async (dry: boolean, id: number) => {
      const { result } = await test.run('undo-definitions', { events: [id], of: null, dry });
      return result!.undone[0]!;
    };
    const label = await undo(true, latest!.id);
    expect(label).toEqual({
      id: latest!.id,
      name: 'PRICE',
      kind: 'function',
      package: 'COMMON-LISP-USER',
      label: 'exact',
      why: null,
      callers: [],
      instances: null,
      changedSince: null,
      done: false,
      message: null,
      event: null,
    });
    expect(await test.value('(price)')).toBe('2');
    const done = await undo(false, latest!.id);
    expect(done).toEqual({ ...label, done: true, event: latest!.id + 1 });
    expect(await test.value('(price)')).toBe('1');
    const [event] = await history('price');
    expect(event).toMatchObject({ undoes: latest!.id, actor: 'person', text: '(defun price () 1)' });
    expect(await undo(false, event!.id)).toMatchObject({ done: true });
    expect(await test.value('(price)')).toBe('2');
  });

  it('The operation undo-definitions tells what it no longer knows [P3]', async () => {
    const { result } = await test.run('undo-definitions', { events: [999_999], of: null, dry: false });
    expect(result!.undone).toMatchObject([{ id: 999_999, label: 'impossible', done: false, kind: null }]);
  });
});

describe('definition-states', () => {
  it('The operation definition-states compares the text of an editor with what the image holds [P2]', async () => {
    const file = '/shop/cart.lisp';
    await test.evaluate('(defun total (cart) cart)', {
      actor: 'client:a',
      evaluation: 'states',
      source: { file, offset: 0, line: 1 },
    });
    const text = ';; \u{1f6d2}\n(defun TOTAL (cart)\n  cart)\n(defun tax (x) x)';
    const { definitions, more } = await test.ask('definition-states', { files: [{ file, text }], package: null });
    const rest = { kind: 'function', package: 'COMMON-LISP-USER', file } as const;
    expect({ definitions, more }).toEqual({
      definitions: [
        {
          ...rest,
          name: 'TOTAL',
          state: 'same',
          offset: 6,
          line: 2,
          actor: 'client:a',
          evaluation: 'states',
          event: expect.any(Number),
        },
        {
          ...rest,
          name: 'TAX',
          state: 'only-in-file',
          offset: 34,
          line: 4,
          actor: null,
          evaluation: null,
          event: null,
        },
      ],
      more: 0,
    });
    const { definitions: all } = await test.ask('definition-states', { files: null, package: 'cl-user' });
    expect(all.find(({ name }) => name === 'TOTAL')).toMatchObject({ state: 'only-in-image', file });
  });
});

describe('export-definitions', () => {
  it('An export of definitions loads into a fresh image and gives the same definitions [P5]', async () => {
    await test.evaluate(
      `(defpackage :shop (:use :cl) (:export #:price))
       (in-package :shop)
       (defconstant +tax+ 2) (defvar *items* (list 1 "ä")) (deftype amount () '(integer 0))
       (defstruct line name (count 1)) (defclass item () ((name :initarg :name :reader name)))
       (define-condition trouble (error) ()) (defmacro twice (x) \`(* 2 ,x))
       (defgeneric price (x)) (defmethod price ((x item)) (twice 3)) (defmethod price ((x (eql :none))) 0)
       (defun (setf gone) (v) v) (defun total () 1) (defun total () (+ +tax+ (price :none)))
       (fmakunbound '(setf gone)) (define-symbol-macro here 1) (defsetf place (x) (v) \`(list ,x ,v))`,
      { context: 'shop', actor: 'client:a' },
    );
    const { text, missing } = await test.ask('export-definitions', {
      package: 'SHOP',
      actors: ['client:a'],
      evaluations: null,
    });
    expect(missing).toEqual([]);
    const fresh = await openTestImage();
    try {
      await writeFile(path.join(fresh.directory, 'shop.lisp'), text);
      await fresh.value('(load "shop.lisp")');
      const defined = async (image: TestImage) =>
        (await image.ask('list-definitions', { ...ALL_LISTED, package: 'SHOP' })).definitions.map(
          ({ kind, name, lambdaList, value }) => ({ kind, name, lambdaList, value }),
        );
      expect(await defined(fresh)).toEqual(await defined(test));
      const use = `(list (shop::total) (shop:price (make-instance 'shop::item)) shop::here (typep 3 'shop::amount))`;
      expect(await fresh.value(use)).toBe('(2 6 1 T)');
    } finally {
      await fresh.close();
    }
  });
});
