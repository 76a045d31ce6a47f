import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from './image.fixture.ts';

let lisp: TestImage;

beforeAll(async () => {
  lisp = await openTestImage();
});

afterAll(() => lisp.close());

const here = { context: 'test', package: null };

describe('D4 completion', () => {
  const complete = (prefix: string, more: { text?: string; offset?: number; package?: string } = {}) =>
    lisp.ask('complete', { ...here, prefix, text: null, offset: null, limit: 3, ...more });

  it('tells what could be inserted and where it matches', async () => {
    const { completions, total } = await complete('mvb');
    expect(completions[0]).toMatchObject({
      text: 'multiple-value-bind',
      kinds: ['macro'],
      lambdaList: '(VARS VALUE-FORM &BODY BODY)',
      package: 'COMMON-LISP',
      matches: [
        [0, 1],
        [9, 10],
        [15, 16],
      ],
    });
    expect(total).toBeGreaterThan(0);
  });

  it('offers locals first, counting as the editor does', async () => {
    const text = '(let ((😀 1) (total 2)) (+ tot';
    expect((await complete('tot', { text, offset: text.length })).completions[0]).toMatchObject({
      text: 'total',
      kinds: ['local-variable'],
      package: null,
    });
  });

  it('says which package is unknown', async () => {
    await expect(complete('x', { package: 'nope' })).rejects.toThrow('"nope" does not designate any package');
  });

  it('never shows the engine', async () => {
    for (const prefix of ['lisp-workbench', 'lisp-workbench/protocol::', ':lisp-workbench'])
      await expect(complete(prefix)).resolves.toEqual({ completions: [], total: 0 });
  });
});

describe('D4 lambda list', () => {
  const arglist = (text: string) => lisp.ask('arglist', { ...here, text, offset: text.length });

  it('of the innermost call, with the parameter that is being given', async () => {
    await lisp.evaluate('(defun pick (item &key (from 0) test) "Picks." (list item from test))');
    await expect(arglist('(let ((s "😀")) (pick #\\a :test ')).resolves.toEqual({
      found: true,
      operator: 'PICK',
      kind: 'function',
      lambdaList: '(ITEM &KEY (FROM 0) TEST)',
      parameters: [
        { text: 'ITEM', start: 1, end: 5 },
        { text: '(FROM 0)', start: 11, end: 19 },
        { text: 'TEST', start: 20, end: 24 },
      ],
      current: 2,
      documentation: 'Picks.',
    });
  });

  it('is not there outside of calls', async () => {
    await expect(arglist('x')).resolves.toMatchObject({ found: false, parameters: [] });
  });
});

describe('D10 apropos and packages', () => {
  const record = {
    name: 'PACK-SHIRT',
    printed: 'WARDROBE:PACK-SHIRT',
    package: 'WARDROBE',
    external: true,
    kinds: ['function', 'variable'],
    lambdaList: '(SHIRT &OPTIONAL FOLDED)',
    documentation: 'Puts a shirt away.',
  };

  beforeAll(async () => {
    await lisp.evaluate(
      `(defpackage :wardrobe (:use :cl) (:nicknames :wr) (:export #:pack-shirt) (:local-nicknames (:m :sb-mop))
                             (:documentation "Clothes."))
       (in-package :wardrobe)
       (defun pack-shirt (shirt &optional folded) "Puts a shirt away.
For long." (list shirt folded))
       (defvar pack-shirt 1)
       (defmacro pack-trousers () nil)`,
      { context: 'wardrobe' },
    );
  });

  it('finds symbols by a part of the name, of some kind, and by documentation', async () => {
    const apropos = (pattern: string, more = {}) =>
      lisp.ask('apropos', {
        pattern,
        package: null,
        externalOnly: false,
        kinds: null,
        documentation: false,
        limit: 10,
        ...more,
      });
    await expect(apropos('ack-shir')).resolves.toEqual({ symbols: [record], total: 1 });
    await expect(apropos('shirt away', { documentation: true, package: 'wr' })).resolves.toEqual({
      symbols: [record],
      total: 1,
    });
    const names = async (more: object) => (await apropos('pack-', more)).symbols.map(({ printed }) => printed);
    await expect(names({ package: 'wardrobe' })).resolves.toEqual(['WARDROBE:PACK-SHIRT', 'WARDROBE::PACK-TROUSERS']);
    await expect(names({ package: 'wardrobe', externalOnly: true })).resolves.toEqual(['WARDROBE:PACK-SHIRT']);
    await expect(names({ package: 'wardrobe', kinds: ['macro'] })).resolves.toEqual(['WARDROBE::PACK-TROUSERS']);
    await expect(apropos('lisp-workbench')).resolves.toEqual({ symbols: [], total: 0 });
  });

  it('lists packages with what they use, none of ours', async () => {
    const { packages } = await lisp.ask('packages', {});
    expect(packages.find(({ name }) => name === 'WARDROBE')).toEqual({
      name: 'WARDROBE',
      nicknames: ['WR'],
      localNicknames: [{ nickname: 'M', package: 'SB-MOP' }],
      uses: ['COMMON-LISP'],
      usedBy: [],
      symbols: 4,
      external: 1,
      internal: 3,
      locked: false,
      documentation: 'Clothes.',
      user: true,
    });
    expect(packages.find(({ name }) => name === 'COMMON-LISP')).toMatchObject({
      locked: true,
      user: false,
      external: 978,
    });
    expect(JSON.stringify(packages)).not.toMatch(/lisp-workbench/i);
  });

  it('lists the symbols of a package in parts', async () => {
    const symbols = (more = {}) =>
      lisp.ask('package-symbols', { package: 'wr', which: 'all', filter: 'pack', offset: 0, limit: 1, ...more });
    await expect(symbols({ which: 'external' })).resolves.toEqual({ package: 'WARDROBE', symbols: [record], total: 1 });
    await expect(symbols({ which: 'internal', filter: null, offset: 1, limit: 9 })).resolves.toMatchObject({
      symbols: [
        { name: 'PACK-TROUSERS', kinds: ['macro'] },
        { name: 'SHIRT', kinds: [], lambdaList: null },
      ],
      total: 3,
    });
    await expect(symbols({ which: 'inherited', filter: 'multiple-value-bi' })).resolves.toMatchObject({
      symbols: [{ name: 'MULTIPLE-VALUE-BIND' }],
      total: 1,
    });
    await expect(symbols({ package: 'lisp-workbench/protocol' })).rejects.toThrow('does not designate any package');
  });
});
