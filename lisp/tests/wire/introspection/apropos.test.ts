/** Searching for symbols, and listing them by package. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let lisp: TestImage;

beforeAll(async () => {
  lisp = await openTestImage();
});

afterAll(() => lisp.close());

describe('apropos and packages', () => {
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

  it('Apropos finds symbols by a part of the name, of some kind, and by documentation [D10]', async () => {
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

  it('Packages are listed with what they use, none of ours [D10]', async () => {
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

  it('The symbols of a package are listed in parts [D10]', async () => {
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
