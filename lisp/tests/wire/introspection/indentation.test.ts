/** Indentation of macro calls according to their lambda lists. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let lisp: TestImage;

beforeAll(async () => {
  lisp = await openTestImage();
  await lisp.evaluate(
    `(defpackage :weaver (:use :cl) (:nicknames :wv) (:local-nicknames (:m :sb-mop)) (:export #:with-loom))
     (in-package :weaver)
     (defmacro with-loom ((loom &key size) &body body) (list* loom size body))
     (defmacro weave (a b &body body) (list* a b body))
     (defmacro spin (&whole form first (x (y z)) &environment env &rest more) (list form first x y z env more))
     (defmacro dye (a &rest more) (list* a more))
     (defmacro cut (a &optional b &key c) (list a b c))
     (defun cloth (a) a)`,
    { context: 'weaving' },
  );
});

afterAll(() => lisp.close());

describe('macro-indentation', () => {
  it('Macros with a body or a list among their arguments are told with their patterns, others are not', async () => {
    const { packages } = await lisp.ask('macro-indentation', { packages: ['WEAVER', 'NO-SUCH-PACKAGE'] });
    const [weaver, ...others] = packages;
    expect(others).toEqual([]);
    expect({ ...weaver, macros: weaver!.macros.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }).toEqual({
      name: 'WEAVER',
      nicknames: ['WV'],
      localNicknames: [{ nickname: 'M', package: 'SB-MOP' }],
      uses: ['COMMON-LISP'],
      macros: [
        { name: 'spin', external: false, pattern: [4, ['&whole', 4, 1, ['&whole', 1]], '&rest', null] },
        { name: 'weave', external: false, pattern: [4, 4, '&body'] },
        { name: 'with-loom', external: true, pattern: [['&whole', 4, 1, '&rest', 1], '&body'] },
      ],
    });
  });

  it('All packages that people use are told of when none is named, without those of the engine and the insides of SBCL', async () => {
    const { packages } = await lisp.ask('macro-indentation', { packages: null });
    const names = packages.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['COMMON-LISP-USER', 'SB-EXT']));
    expect(names).toContain('WEAVER');
    expect(names.filter((name) => /^(LISP-WORKBENCH|SB-IMPL|SB-C$)/.test(name))).toEqual([]);
  });
});
