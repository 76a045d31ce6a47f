import { describe, expect, it } from 'vitest';
import { reindent } from './indent.ts';

function reindented(text: string): string {
  const lines = text.split('\n');
  for (const { line, blank, had } of reindent(lines, 0, lines.length - 1))
    lines[line] = blank + lines[line]!.slice(had);
  return lines.join('\n');
}

describe('Re-indentation', () => {
  it('gives each line the column that its form has', () => {
    expect(reindented('(defun foo (a)\n        (when a\n   (print a)\n(print 1)))')).toBe(
      '(defun foo (a)\n  (when a\n    (print a)\n    (print 1)))',
    );
  });

  it('leaves a text that is indented as it is', () => {
    const text = '(defun f (x)\n  (let ((y 1)\n        (z 2))\n    (list x\n          y z)))\n\n(f 1)';
    expect(reindented(text)).toBe(text);
  });

  it('changes nothing inside strings and block comments', () => {
    const text = '(f "one\n      two\n three")\n#|\n   kept\n|#';
    expect(reindented(text)).toBe(text);
  });

  it('leaves comments of three semicolons where they stand, and indents those of two', () => {
    expect(reindented('(progn\n;;; here\n;; there\n(f))')).toBe('(progn\n;;; here\n  ;; there\n  (f))');
  });

  it('empties blank lines among others', () => {
    expect(reindented('(progn\n    \n(f))')).toBe('(progn\n\n  (f))');
  });

  it('knows the whole form when only its middle is asked for', () => {
    expect(reindent(['(defun f ()', '(a)', '(b))'], 2, 2)).toEqual([]);
    expect(reindent(['(defun f ()', '  (a)', '      (b))'], 2, 2)).toEqual([{ line: 2, blank: '  ', had: 6 }]);
  });
});
