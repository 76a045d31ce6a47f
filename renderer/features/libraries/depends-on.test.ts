import { describe, expect, it } from 'vitest';
import { systemsDefinedIn, type TextChange, withDependency, withQlfileLine } from './depends-on.ts';

const applied = (text: string, { start, end, text: inserted }: TextChange): string =>
  text.slice(0, start) + inserted + text.slice(end);

/** Returns the text after `yason` was added to the dependencies of `shop`, or the reason why it was not. */
function add(text: string, library = 'yason', system = 'shop'): string {
  const result = withDependency(text, system, library);
  return result.kind === 'added' ? applied(text, result.change) : result.kind;
}

const lines = (...all: string[]): string => all.join('\n');

describe('dependencies of a system', () => {
  it.each([
    ['(defsystem "shop" :depends-on ("drakma"))', '(defsystem "shop" :depends-on ("drakma" "yason"))'],
    ['(defsystem "shop" :depends-on ())', '(defsystem "shop" :depends-on ("yason"))'],
    ['(defsystem "shop" :depends-on ( ))', '(defsystem "shop" :depends-on ("yason"))'],
    ['(defsystem "shop" :depends-on nil)', '(defsystem "shop" :depends-on ("yason"))'],
    ['(defsystem "shop" :depends-on NIL :serial t)', '(defsystem "shop" :depends-on ("yason") :serial t)'],
    ['(defsystem "shop" :depends-on)', '(defsystem "shop" :depends-on ("yason"))'],
    ['(defsystem "shop")', '(defsystem "shop" :depends-on ("yason"))'],
    ['(defsystem "shop" :components ())', '(defsystem "shop" :depends-on ("yason") :components ())'],
    ['(defsystem "shop" :DEPENDS-ON ("drakma"))', '(defsystem "shop" :DEPENDS-ON ("drakma" "yason"))'],
    ['(asdf:defsystem #:shop :depends-on (#:drakma))', '(asdf:defsystem #:shop :depends-on (#:drakma #:yason))'],
    ['(asdf/defsystem:defsystem :shop :depends-on (:a))', '(asdf/defsystem:defsystem :shop :depends-on (:a :yason))'],
    ['(defsystem shop :depends-on (drakma))', '(defsystem shop :depends-on (drakma yason))'],
    ['(defsystem shop :depends-on ())', '(defsystem shop :depends-on ("yason"))'],
    ['(defsystem :shop :serial t)', '(defsystem :shop :depends-on (:yason) :serial t)'],
    ['(defsystem SHOP :depends-on ("a"))', '(defsystem SHOP :depends-on ("a" "yason"))'],
    ['(progn (defsystem "shop" :depends-on ("a")))', '(progn (defsystem "shop" :depends-on ("a" "yason")))'],
  ])('A library is added to %j [issue 38.4]', (before, after) => {
    expect(add(before)).toBe(after);
  });

  it.each([
    ['(:feature :sbcl "x")', '(:feature :sbcl "x") "yason"'],
    ['(:feature :sbcl :x)', '(:feature :sbcl :x) :yason'],
    ['(:version "x" "1")', '(:version "x" "1") "yason"'],
    ['(:version :x "1")', '(:version :x "1") :yason'],
    ['(:feature :sbcl (:require :sb-posix)) #:a', '(:feature :sbcl (:require :sb-posix)) #:a #:yason'],
    ['"a" #+sbcl "b"', '"a" #+sbcl "b" "yason"'],
  ])('The new entry has the style of the last of %j [issue 38.4]', (before, after) => {
    const system = (entries: string): string => `(defsystem "shop" :depends-on (${entries}))`;
    expect(add(system(before))).toBe(system(after));
  });

  it('A list with one entry per line gets another line with the same indentation [issue 38.4]', () => {
    expect(
      add(
        lines('(defsystem "shop"', '  :depends-on ("drakma"', '               #+sbcl "sb-posix")', '  :components ())'),
      ),
    ).toBe(
      lines(
        '(defsystem "shop"',
        '  :depends-on ("drakma"',
        '               #+sbcl "sb-posix"',
        '               "yason")',
        '  :components ())',
      ),
    );
    expect(add(lines('(defsystem "shop"', '  :depends-on (', '    :drakma', '  ))'))).toBe(
      lines('(defsystem "shop"', '  :depends-on (', '    :drakma', '    :yason', '  ))'),
    );
  });

  it('A list that fills its lines gets the entry on its last line, or on a new line if that is full [issue 38.4]', () => {
    expect(add(lines('(defsystem "shop"', '  :depends-on ("a" "b"', '               "c"))'))).toBe(
      lines('(defsystem "shop"', '  :depends-on ("a" "b"', '               "c" "yason"))'),
    );
    const long = `"${'x'.repeat(80)}"`;
    expect(add(lines('(defsystem "shop"', `  :depends-on (${long}))`))).toBe(
      lines('(defsystem "shop"', `  :depends-on (${long}`, '               "yason"))'),
    );
  });

  it('A comment stays with the entry before it [issue 38.4]', () => {
    expect(
      add(lines('(defsystem "shop"', '  :depends-on ("a" ; lists', '               "b" ; tables', '               ))')),
    ).toBe(
      lines(
        '(defsystem "shop"',
        '  :depends-on ("a" ; lists',
        '               "b" ; tables',
        '               "yason"',
        '               ))',
      ),
    );
    expect(add(lines('(defsystem "shop"', '  :depends-on ("a" "b" ; both', '               ))'))).toBe(
      lines('(defsystem "shop"', '  :depends-on ("a" "b" ; both', '               "yason"', '               ))'),
    );
    expect(add(lines('(defsystem "shop" :depends-on ( ; none yet', '))'))).toBe(
      lines('(defsystem "shop" :depends-on ("yason" ; none yet', '))'),
    );
    expect(add('(defsystem "shop" :depends-on (#| none |#))')).toBe(
      '(defsystem "shop" :depends-on ("yason" #| none |#))',
    );
  });

  it('A comment that mentions the library or the option changes nothing [issue 38.4]', () => {
    const text = lines(
      '; (defsystem "shop" :depends-on ("yason"))',
      '(defsystem "shop" ; :depends-on ()',
      '  :version "1")',
    );
    expect(add(text)).toBe(lines(...text.slice(0, -1).split('\n'), '  :depends-on ("yason"))'));
  });

  it('A new option is put before the components, on a line of its own [issue 38.4]', () => {
    expect(
      add(
        lines(
          '(asdf:defsystem #:shop',
          '    :version "1" ; the first',
          '    ;; Its files:',
          '    :serial t',
          '    :components ((:file "shop" :depends-on ("package"))))',
        ),
      ),
    ).toBe(
      lines(
        '(asdf:defsystem #:shop',
        '    :version "1" ; the first',
        '    :depends-on (#:yason)',
        '    ;; Its files:',
        '    :serial t',
        '    :components ((:file "shop" :depends-on ("package"))))',
      ),
    );
  });

  it('A new option is put before a conditional one and its condition [issue 38.4]', () => {
    expect(add(lines('(defsystem "shop"', '  :version "1"', '  #+sbcl :components #+sbcl ())'))).toBe(
      lines('(defsystem "shop"', '  :version "1"', '  :depends-on ("yason")', '  #+sbcl :components #+sbcl ())'),
    );
  });

  it('A system of several lines without components gets the option at its end [issue 38.4]', () => {
    expect(add(lines('(defsystem "shop"', '  :version "1")'))).toBe(
      lines('(defsystem "shop"', '  :version "1"', '  :depends-on ("yason"))'),
    );
    expect(add(lines('(defsystem "shop" ; ours', '  )'))).toBe(
      lines('(defsystem "shop" ; ours', '  :depends-on ("yason")', '  )'),
    );
  });

  it('Only the meant system of a file with several is changed [issue 38.4]', () => {
    const text = lines(
      '(defsystem "shop" :depends-on ("a"))',
      '(defsystem "shop/tests" :depends-on ("shop" "fiveam"))',
      '(defsystem "yason" :depends-on ())',
    );
    expect(add(text, 'yason', 'shop/tests')).toBe(text.replace('"fiveam"', '"fiveam" "yason"'));
    expect(systemsDefinedIn(text)).toEqual(['shop', 'shop/tests', 'yason']);
  });

  it.each([
    '"yason"',
    ':yason',
    '#:YASON',
    'yason',
    '(:version "yason" "1")',
    '(:feature :sbcl "yason")',
    '(:feature (:not :sbcl) (:version :yason "1"))',
    '#+sbcl "yason"',
  ])('The entry %s names the library already [issue 38.4]', (entry) => {
    const text = `(defsystem "shop" :depends-on ("a" ${entry}))`;
    const result = withDependency(text, 'shop', 'yason');
    expect(result).toEqual({ kind: 'present', at: text.indexOf(entry) + (entry.startsWith('#+') ? 7 : 0) });
  });

  it.each([
    ['(defsystem "shop" :depends-on #.(libraries))', 'computed'],
    ['(defsystem "shop" :depends-on *libraries*)', 'computed'],
    ['(defsystem "other" :depends-on ("shop"))', 'no-system'],
    ['(defsystem)', 'no-system'],
    ['', 'no-system'],
  ])('Nothing is added to %j [issue 38.4]', (text, reason) => {
    expect(add(text)).toBe(reason);
  });

  it('A name that is not a plain symbol is written as a string [issue 38.4]', () => {
    expect(add('(defsystem :shop :depends-on (:a))', 'Odd Name')).toBe('(defsystem :shop :depends-on (:a "Odd Name"))');
    expect(add('(defsystem shop :depends-on (a))', '3bmd')).toBe('(defsystem shop :depends-on (a "3bmd"))');
    expect(add('(defsystem shop :depends-on (#:a))', '3bmd')).toBe('(defsystem shop :depends-on (#:a #:3bmd))');
  });

  it('Line ends stay those of the file [issue 38.4]', () => {
    expect(add('(defsystem "shop"\r\n  :depends-on ("a"\r\n               "b"))\r\n')).toBe(
      '(defsystem "shop"\r\n  :depends-on ("a"\r\n               "b"\r\n               "yason"))\r\n',
    );
  });
});

describe('the qlfile', () => {
  const add = (text: string): string | null => {
    const change = withQlfileLine(text, 'yason');
    return change && applied(text, change);
  };

  it('A line for the library is added at the end [issue 38.4]', () => {
    expect([add(''), add('ql drakma\n'), add('ql drakma'), add('ql a\r\n')]).toEqual([
      'ql yason\n',
      'ql drakma\nql yason\n',
      'ql drakma\nql yason\n',
      'ql a\r\nql yason\r\n',
    ]);
  });

  it('A library that is named from any source is not added again [issue 38.4]', () => {
    expect([add('ql yason\n'), add('git yason https://example.org/yason.git'), add('# ql yason\n')]).toEqual([
      null,
      null,
      '# ql yason\nql yason\n',
    ]);
  });
});
