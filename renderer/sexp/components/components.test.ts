import { describe, expect, it } from 'vitest';
import { addedComponent, type NewComponent, type TextEdit } from './added-component.ts';
import { packageOfFile } from './file-package.ts';
import { listingsIn } from './listings.ts';
import { renamedComponents } from './renamed-components.ts';

const SERIAL = `(defsystem "shop"
  :serial t
  :components ((:file "package")
               (:file "cart")
               (:file "till")))
`;

const MODULES = `;;; (defsystem "not-this" :components ((:file "cart")))
(asdf:defsystem #:shop
  :description "A shop. :components ((:file \\"cart\\"))"
  :pathname "src/"
  :components
  ((:file "package")
   (:module "core" ; the core
    :serial t
    :components ((:file "cart")   ; the cart
                 #+sbcl
                 (:file "till")))
   (:module "web" :pathname "www/pages" :depends-on ("core")
    :components ((:file "page" :depends-on ("head"))
                 (:file "head")))
   (:static-file "README.md")))

(asdf:defsystem #:shop/tests
  :depends-on (#:shop)
  :components ((:module "tests" :components ((:file "suite") (:file "cart")))))
`;

function applied(text: string, edits: readonly TextEdit[]): string {
  return edits.reduceRight(
    (result, { start, end, text: put }) => result.slice(0, start) + put + result.slice(end),
    text,
  );
}

function added(
  text: string,
  path: string,
  beside: string | null = null,
  needsIt: NewComponent['needsIt'] = false,
): string {
  const result = addedComponent(text, { path, beside, needsIt });
  if (result.edit === null) return result.why;
  const after = applied(text, [result.edit]);
  const before = text.split('\n');
  return after
    .split('\n')
    .filter((line) => !before.includes(line))
    .join('\n');
}

describe('the components of a system definition', () => {
  it('Each component stands for a file: with pathnames, modules and types, but without comments and strings [issue 39.3]', () => {
    expect(
      listingsIn(MODULES).map(({ system, folder, serial, components }) => [
        system,
        folder,
        serial,
        components.map(({ path }) => path),
      ]),
    ).toEqual([
      ['shop', 'src', false, ['src/package.lisp', 'src/core', 'src/www/pages', 'src/README.md']],
      ['shop', 'src/core', true, ['src/core/cart.lisp', 'src/core/till.lisp']],
      ['shop', 'src/www/pages', false, ['src/www/pages/page.lisp', 'src/www/pages/head.lisp']],
      ['shop/tests', '', false, ['tests']],
      ['shop/tests', 'tests', false, ['tests/suite.lisp', 'tests/cart.lisp']],
    ]);
  });

  it.each([
    ['(:file "a/b/c")', 'a/b/c.lisp'],
    ['(:file foo)', 'foo.lisp'],
    ['(:file #:Foo)', 'foo.lisp'],
    ['(:FILE |Foo|)', 'foo.lisp'],
    ['(:file "a.b")', 'a.b.lisp'],
    ['(:file "a" :pathname "b")', 'b.lisp'],
    ['(:file "a" :pathname "b.lisp")', 'b.lisp'],
    ['(:file "a" :pathname #p"x/b")', 'x/b.lisp'],
    ['(:cl-source-file.cl "a")', 'a.cl'],
    ['(:static-file "a.txt")', 'a.txt'],
    ['(:module "a" :pathname "" :components ())', ''],
    ['(:file "a" :pathname "../a")', undefined],
    ['(:file "a" :pathname #.(here))', undefined],
    ['(:file "/abs" :pathname "/abs")', undefined],
    ['(:file)', undefined],
    ['"a"', undefined],
  ])('The component %s stands for %s [issue 39.3]', (component, path) =>
    expect(listingsIn(`(defsystem s :components (${component}))`)[0]!.components[0]?.path).toBe(path),
  );

  it('A system whose folder or list is computed, or whose form is not closed, has no list [issue 39.3]', () => {
    expect(listingsIn('(defsystem s :pathname (here) :components ((:file "a")))')).toEqual([]);
    expect(listingsIn('(defsystem s :components nil)')).toEqual([]);
    expect(listingsIn('(defsystem s :components ((:file "a")')).toEqual([]);
    expect(listingsIn('(defsystem)')).toEqual([]);
  });
});

describe('a new component', () => {
  it('It comes after the component beside it, on a line of its own [issue 39.3]', () => {
    expect(
      applied(SERIAL, [addedComponent(SERIAL, { path: 'tax.lisp', beside: 'cart.lisp', needsIt: true }).edit!]),
    ).toBe(SERIAL.replace('(:file "cart")\n', '(:file "cart")\n               (:file "tax")\n'));
  });

  it('After the first and the last component the brackets stay in place [issue 39.3]', () => {
    expect(added(SERIAL, 'tax.lisp', 'package.lisp')).toBe('               (:file "tax")');
    expect(added(SERIAL, 'tax.lisp', 'till.lisp')).toBe(
      '               (:file "till")\n               (:file "tax")))',
    );
    expect(added(SERIAL, 'tax.lisp')).toBe('               (:file "till")\n               (:file "tax")))');
  });

  it('A module of the folder is chosen, and a comment stays with its component [issue 39.3]', () => {
    const text = applied(MODULES, [
      addedComponent(MODULES, { path: 'src/core/tax.lisp', beside: 'src/core/cart.lisp', needsIt: false }).edit!,
    ]);
    expect(text).toContain(`((:file "cart")   ; the cart
                 (:file "tax")
                 #+sbcl
                 (:file "till")))`);
    expect(added(MODULES, 'src/core/tax.lisp', 'src/core/till.lisp')).toContain('\n                 (:file "tax")))');
  });

  it('On one line the component is added to the line [issue 39.3]', () => {
    expect(added('(defsystem s :components ((:file "a")))', 'b.lisp', 'a.lisp')).toBe(
      '(defsystem s :components ((:file "a") (:file "b")))',
    );
    expect(added(MODULES, 'tests/till.lisp', 'tests/suite.lisp')).toContain(
      '((:file "suite") (:file "till") (:file "cart"))',
    );
    expect(added('(defsystem s\n  :components ((:file "a")))', 'b.lisp', 'a.lisp')).toBe(
      '  :components ((:file "a")\n               (:file "b")))',
    );
  });

  it('Without :serial the dependencies are those of the component beside it [issue 39.3]', () => {
    expect(added(MODULES, 'src/www/pages/foot.lisp', 'src/www/pages/page.lisp')).toContain(
      '(:file "foot" :depends-on ("head"))',
    );
    expect(added(MODULES, 'src/www/pages/foot.lisp', 'src/www/pages/head.lisp')).toContain('(:file "foot")');
    expect(added(MODULES, 'src/www/pages/foot.lisp', 'src/www/pages/head.lisp', true)).toContain(
      '(:file "foot" :depends-on ("head"))',
    );
    const long = '(defsystem s\n :components ((:file "a" :depends-on ("x" ; first\n "y"))\n))';
    expect(added(long, 'b.lisp', 'a.lisp', true)).toContain('(:file "b" :depends-on ("x" "y" "a"))');
    expect(added(SERIAL.replace(':serial t', ':serial nil'), 'tax.lisp', 'package.lisp', true)).toContain(
      '(:file "tax" :depends-on ("package"))',
    );
  });

  it('The name is a symbol or a string like the name beside it [issue 39.3]', () => {
    expect(added('(defsystem s :components ((:file a)))', 'b.lisp', 'a.lisp')).toContain('(:file a) (:file b)');
    expect(added('(defsystem s :components ((:file #:a)))', 'b.lisp', 'a.lisp')).toContain('(:file #:a) (:file #:b)');
    expect(added('(defsystem s :components ((:FILE :a)))', 'B c.lisp', 'a.lisp')).toContain('(:FILE :a) (:FILE "B c")');
    expect(added('(defsystem s :components ((:file |A|)))', 'b.lisp', 'A.lisp')).toContain('(:file |A|) (:file "b")');
    expect(added('(defsystem s :components ((:file "a")))', 'q"\\.lisp', 'a.lisp')).toContain('(:file "q\\"\\\\")');
  });

  it('A folder without a list of its own is added to the list above, with its path as the name [issue 39.3]', () => {
    const result = addedComponent(MODULES, { path: 'src/core/deep/tax.lisp', beside: null, needsIt: false });
    expect(result).toMatchObject({ fit: 'above', system: 'shop' });
    expect(added(MODULES, 'src/core/deep/tax.lisp')).toContain('(:file "deep/tax")');
    expect(added('(defsystem s :components ((:file "a/b")))', 'a/c.lisp')).toContain('(:file "a/b") (:file "a/c")');
  });

  it('An empty list gets its first component, and files with CRLF keep it [issue 39.3]', () => {
    expect(added('(defsystem s :components ())', 'a.lisp')).toBe('(defsystem s :components ((:file "a")))');
    expect(added('(defsystem s :components ((:static-file "x")))', 'a.lisp')).toContain(
      '(:static-file "x") (:file "a")',
    );
    const windows = SERIAL.replaceAll('\n', '\r\n');
    const { edit } = addedComponent(windows, { path: 'tax.lisp', beside: 'cart.lisp', needsIt: false });
    expect(edit?.text).toBe('\r\n               (:file "tax")');
  });

  it.each([
    ['a file that is listed already', SERIAL, 'cart.lisp', 'listed'],
    ['a system that infers its files', '(defsystem s :class :package-inferred-system)', 'a.lisp', 'inferred'],
    ['a system without components', '(defsystem s :depends-on ("a"))', 'a.lisp', 'no-list'],
    ['a file outside the folder of the system', '(defsystem s :pathname "src" :components ())', 'a.lisp', 'no-list'],
    ['a text without a system', '(print "no system")', 'a.lisp', 'no-list'],
    ['an unclosed text', '(defsystem s :components ((:file "a")', 'b.lisp', 'no-list'],
  ])('Nothing is added for %s [issue 39.3]', (_, text, path, why) =>
    expect(addedComponent(text, { path, beside: null, needsIt: false })).toEqual({ edit: null, why }),
  );
});

describe('a renamed component', () => {
  const renamed = (text: string, from: string, to: string): string =>
    applied(text, renamedComponents(text, from, to).edits);

  it('Its name changes, and nothing else [issue 39.3]', () =>
    expect(renamed(SERIAL, 'cart.lisp', 'basket.lisp')).toBe(SERIAL.replace('"cart"', '"basket"')));

  it('The names in the dependencies of its list change, but not those of other lists [issue 39.3]', () => {
    expect(renamed(MODULES, 'src/www/pages/head.lisp', 'src/www/pages/top.lisp')).toBe(
      MODULES.replaceAll('"head"', '"top"'),
    );
    expect(renamed(MODULES, 'src/core/cart.lisp', 'src/core/basket.lisp')).toBe(
      MODULES.replace('((:file "cart")   ;', '((:file "basket")   ;'),
    );
    const features =
      '(defsystem s :components ((:file a) (:file b :depends-on (#:a (:feature :sbcl "a") (:version a "1")))))';
    expect(renamed(features, 'a.lisp', 'new.lisp')).toBe(
      '(defsystem s :components ((:file new) (:file b :depends-on (#:new (:feature :sbcl "new") (:version new "1")))))',
    );
  });

  it('A file in several systems changes in all of them [issue 39.3]', () => {
    const text = '(defsystem a :components ((:file "x")))\n(defsystem b :components ((:file "x") (:file "y")))';
    expect(renamed(text, 'x.lisp', 'z.lisp')).toBe(text.replaceAll('"x"', '"z"'));
  });

  it('With a pathname the pathname changes and the name stays [issue 39.3]', () => {
    const text = '(defsystem s :components ((:file "a" :pathname "x.lisp") (:file "b" :pathname #p"y")))';
    expect(renamed(text, 'x.lisp', 'sub/z.lisp')).toBe(text.replace('x.lisp', 'sub/z.lisp'));
    expect(renamed(text, 'y.lisp', 'z.lisp')).toBe(text.replace('#p"y"', '#p"z"'));
  });

  it('A renamed folder changes its module, its pathname, or the paths in names [issue 39.3]', () => {
    expect(renamed(MODULES, 'src/core', 'src/kernel')).toBe(
      MODULES.replace('(:module "core"', '(:module "kernel"').replace('("core")', '("kernel")'),
    );
    expect(renamed(MODULES, 'src/www', 'src/http')).toBe(MODULES.replace('www/pages', 'http/pages'));
    expect(renamed(MODULES, 'src', 'code')).toBe(MODULES.replace('"src/"', '"code/"'));
    expect(renamed('(defsystem s :components ((:file "a/b")))', 'a', 'c/d')).toBe(
      '(defsystem s :components ((:file "c/d/b")))',
    );
  });

  it('A file that moves below its list gets a path as its name, and one that leaves it is reported [issue 39.3]', () => {
    expect(renamed(SERIAL, 'cart.lisp', 'deep/cart.lisp')).toContain('(:file "deep/cart")');
    expect(renamedComponents(MODULES, 'src/core/cart.lisp', 'src/cart.lisp')).toEqual({
      edits: [],
      left: ['src/core/cart.lisp'],
    });
    expect(renamedComponents(SERIAL, 'cart.lisp', 'cart.txt')).toEqual({ edits: [], left: ['cart.lisp'] });
  });

  it('A file that is not listed changes nothing, also if its name is in a comment or a string [issue 39.3]', () => {
    expect(renamedComponents(MODULES, 'cart.lisp', 'x.lisp')).toEqual({ edits: [], left: [] });
    expect(renamedComponents(MODULES, 'src/core/car', 'src/core/x')).toEqual({ edits: [], left: [] });
  });
});

describe('the package of a new file', () => {
  it.each([
    ['(in-package #:shop)\n(defun f ())', '(in-package #:shop)', false],
    ['(cl:in-package "SHOP")', '(in-package "SHOP")', false],
    ['(in-package :a) (f) (in-package :b)', '(in-package :b)', false],
    ['(in-package #:cl-user)\n(defpackage #:shop (:use #:cl))', '(in-package #:shop)', true],
    ['(uiop:define-package #:shop/cart)', '(in-package #:shop/cart)', true],
    ['(defpackage #:shop) (in-package :SHOP)', '(in-package :SHOP)', true],
    ['(defpackage #:a) (in-package #:b)', '(in-package #:b)', false],
    ['(in-package #:cl-user)', '(in-package #:cl-user)', false],
  ])('For %j it is %s [issue 39.3]', (text, line, defined) => expect(packageOfFile(text)).toEqual({ line, defined }));

  it('Comments, strings and unclosed forms name none [issue 39.3]', () =>
    expect(packageOfFile('; (in-package :a)\n"(in-package :b)"\n(in-package :c')).toBeNull());
});
