/** Definition events, their undo, their state against files and their export, in a real image. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from './image.fixture.ts';

let test: TestImage;
beforeAll(async () => {
  test = await openTestImage();
});
afterAll(() => test.close());

const history = async (name: string) =>
  (await test.ask('definition-history', { package: 'COMMON-LISP-USER', name, evaluation: null, limit: 10 })).events;

describe('definition-history', () => {
  it('P1 tells each definition with its author, place and text', async () => {
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
      evaluation: 'first',
      time: expect.any(Number),
      source: { file: '/shop/area.lisp', offset: 35, line: 4 },
      hasText: true,
      undoes: null,
      text: '(defun area (r) (* 3 r r))',
      readPackage: 'COMMON-LISP-USER',
    });
    const { definitions } = await test.ask('list-definitions', { context: 'test', package: null });
    expect(definitions.find(({ name }) => name === 'AREA')).toMatchObject({
      actor: 'client:a',
      event: latest!.id,
      evaluation: 'first',
      time: latest!.time,
    });
  });
});

describe('undo-definitions', () => {
  it('P3 says before and does after, and its undo is a redo', async () => {
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

  it('P3 tells what it no longer knows', async () => {
    const { result } = await test.run('undo-definitions', { events: [999_999], of: null, dry: false });
    expect(result!.undone).toMatchObject([{ id: 999_999, label: 'impossible', done: false, kind: null }]);
  });
});

describe('definition-states', () => {
  it('P2 compares the text of an editor with what the image holds', async () => {
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
  it('P5 loads into a fresh image and gives the same definitions', async () => {
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
        (await image.ask('list-definitions', { context: 'test', package: 'SHOP' })).definitions.map(
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
