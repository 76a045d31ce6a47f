import { describe, expect, it } from 'vitest';
import cases from './cases.lisp?raw';
import { MacroMethods } from './image-methods.ts';
import { Layout } from './layout.ts';
import { newLineColumn, reindentLines } from './reindent.ts';

const IMAGE = new MacroMethods([
  {
    name: 'ALEXANDRIA',
    nicknames: ['ALEX'],
    localNicknames: [],
    uses: ['COMMON-LISP'],
    macros: [
      { name: 'if-let', external: true, pattern: [4, '&body'] },
      { name: 'when-let*', external: true, pattern: [4, '&body'] },
      { name: 'once-only', external: true, pattern: [4, '&body'] },
      { name: 'hidden', external: false, pattern: [4, 4, '&body'] },
    ],
  },
  {
    name: 'ITERATE',
    nicknames: [],
    localNicknames: [],
    uses: [],
    macros: [{ name: 'iter', external: true, pattern: ['&body'] }],
  },
  {
    name: 'SHOP',
    nicknames: [],
    localNicknames: [{ nickname: 'I', package: 'ITERATE' }],
    uses: ['COMMON-LISP', 'ALEXANDRIA'],
    macros: [{ name: 'test', external: false, pattern: [4, '&body'] }],
  },
]);

function reindented(text: string, packageName: string | null = null): string {
  const lines = text.split('\n');
  for (const { line, blank, had } of reindentLines(lines, 0, lines.length - 1, IMAGE, packageName))
    lines[line] = blank + lines[line]!.slice(had);
  return lines.join('\n');
}

/** Returns the text without the indentation of its lines. */
function flat(text: string): string {
  const layout = new Layout(text.split('\n'));
  return layout.lines.map((line, at) => (layout.contexts[at]!.within === 'code' ? layout.textOf(at) : line)).join('\n');
}

/** Forms with the indentation that Emacs with SLIME gave them. `npm run indentation` compares this file with Emacs again. */
const CASES = cases.trimEnd().split(/\n\n(?=[^ ])/);

describe('indentation as SLIME has it', () => {
  it.each(CASES.map((text) => [text.replace(/^;;;;.*\n/, '').split('\n', 1)[0]!, text]))(
    'Lines without indentation get that of SLIME in %s',
    (_name, text) => {
      expect(reindented(flat(text))).toBe(text);
    },
  );

  it('A file of SLIME-indented forms stays as it is', () => {
    const text = CASES.join('\n\n');
    expect(reindented(text)).toBe(text);
  });
});

describe('macros of the image', () => {
  const call = (operator: string): string => `(${operator} (a)\n(b))`;
  it.each<[string, string, string | null, number]>([
    ['a used package', 'if-let', 'SHOP', 2],
    ['the package itself', 'test', 'SHOP', 2],
    ['the package itself, in capitals', 'TEST', 'SHOP', 2],
    ['a nickname', 'alex:if-let', 'COMMON-LISP-USER', 2],
    ['a local nickname', 'i:iter', 'SHOP', 2],
    ['the inside of another package', 'alex::hidden', 'SHOP', 4],
    ['a name that is not exported', 'hidden', 'SHOP', 8],
    ['a local nickname of another package', 'i:iter', 'ALEXANDRIA', 2],
    ['a package that is still to be made', 'if-let', 'NEW-ONE', 2],
    ['no package', 'iter', null, 2],
    ['a name that the package does not have', 'iter', 'SHOP', 6],
    ['a keyword', ':if-let', 'SHOP', 9],
  ])('A macro is indented as its lambda list says where it is named by %s', (_way, operator, packageName, column) => {
    expect(reindented(call(operator), packageName)).toBe(`(${operator} (a)\n${' '.repeat(column)}(b))`);
  });

  it('A name means what it means in the package that the text is in at that place', () => {
    const text = '(in-package #:shop)\n(test (a)\n  (b))\n(in-package "ALEXANDRIA")\n(test (a)\n      (b))';
    expect(reindented(flat(text), 'ITERATE')).toBe(text);
  });

  it('A macro of a MACROLET with a body is indented like one of the image', () => {
    const text = '(macrolet ((twice (n &body body)\n             n))\n  (twice 1\n    (print 2)))';
    expect(reindented(flat(text))).toBe(text);
  });
});

describe('re-indentation', () => {
  it('Re-indentation gives each line the column that its form has', () => {
    expect(reindented('(defun foo (a)\n        (when a\n   (print a)\n(print 1)))')).toBe(
      '(defun foo (a)\n  (when a\n    (print a)\n    (print 1)))',
    );
  });

  it('Re-indentation changes nothing inside strings, block comments and names in bars', () => {
    const text = '(f "one\n      two\n three")\n#|\n   kept #| and\n |#\n kept |#\n(f |a\n   b|)';
    expect(reindented(text)).toBe(text);
  });

  it('Re-indentation leaves comments of three semicolons where they stand, and indents those of two', () => {
    expect(reindented('(progn\n;;; here\n;; there\n(f))')).toBe('(progn\n;;; here\n  ;; there\n  (f))');
  });

  it('Re-indentation empties blank lines among others', () => {
    expect(reindented('(progn\n    \n(f))')).toBe('(progn\n\n  (f))');
  });

  it('Re-indentation knows the whole form when only its middle is asked for', () => {
    expect(reindentLines(['(defun f ()', '(a)', '(b))'], 2, 2)).toEqual([{ line: 2, blank: '  ', had: 0 }]);
    expect(reindentLines(['(defun f ()', '  (a)', '      (b))'], 2, 2)).toEqual([{ line: 2, blank: '  ', had: 6 }]);
  });

  it('Re-indentation puts blanks in place of tabs, whose columns it counts as eight', () => {
    expect(reindented('(list\ta\n\tb)')).toBe('(list\ta\n        b)');
  });

  it('Text that is not balanced is indented as far as it goes', () => {
    expect(reindented('(a (b\nc))) (d\ne)\n)\nf')).toBe('(a (b\n    c))) (d\n          e)\n)\nf');
  });
});

describe('indentation of a new line', () => {
  it.each<[string, number]>([
    ['(defun a (b)', 2],
    ['(foo bar', 5],
    ['(foo', 1],
    ['(let ((a 1)', 6],
    ['(let ((a 1))', 2],
    ['(when x', 2],
    ['(a)', 0],
    ["'(a b", 2],
    ['(multiple-value-bind (a b)', 4],
    ['  (foo (bar baz)\n       qux', 7],
    ['(loop', 2],
    ['(loop for x in y', 6],
    ['(flet ((f (x)', 9],
    ['(handler-case (f)\n  (error (e)', 4],
    ['`(let ((a 1))', 3],
    ["#'(lambda (x)", 4],
    ['(defun f (a &optional', 14],
    ['(alex:if-let (a b)', 2],
    ['(f "a\nb', 0],
  ])('A new line after %j is indented to the column %i [D2]', (text, column) => {
    expect(newLineColumn(text.split('\n'), '', IMAGE)).toBe(column);
  });
});
