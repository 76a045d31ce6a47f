import { describe, expect, it } from 'vitest';
import { namedChange } from './hunk-names.ts';
import { hunksOf } from './hunks.ts';
import { textChange } from './text-change.ts';

function heads(before: string, after: string, path = 'a.lisp'): string[] {
  const hunks = hunksOf(before, after, false)!.shown;
  const change = textChange(path, `/p/${path}`, { text: before, bytes: before.length }, after, hunks);
  return namedChange(change, after).hunks.map(({ title, name, what }) => `${title ?? '-'} | ${name ?? '-'} | ${what}`);
}

describe('name of a hunk', () => {
  it.each<[string, string, string, string]>([
    ['a definition that is new', '', '(defvar *a* 1)\n', 'defvar *a* | *a* | new variable'],
    ['a definition that is removed', '(a)\n(defun gone ())\n(b)\n', '(a)\n(b)\n', '- | gone | removed function'],
    ['two definitions', '', '(defun a ())\n(defclass b () ())\n', '- | a | new function and 1 more'],
    [
      'a method, by its specializers',
      '(defmethod m ((x point)\n              y)\n  1)\n',
      '(defmethod m ((x point)\n              y)\n  2)\n',
      'defmethod m (point t) | m (point t) | method',
    ],
    [
      'a definition that lost a line',
      '(defun f ()\n  (g 1)\n  (g 2))\n',
      '(defun f ()\n  (g 2))\n',
      'defun f | f | function',
    ],
    ['a system', '', '(defsystem "a")\n', 'defsystem "a" | "a" | new system'],
    ['an operator that is not known', '', '(defwidget a ())\n', 'defwidget a | a | new defwidget'],
    ['a form that defines nothing', '(print 1)\n', '(print 2)\n', '- | - | Line 1'],
    ['lines of no form', '(a)\n\n; one\n', '(a)\n\n; two\n', '- | - | Lines 1 to 3'],
  ])('A hunk is named by %s [X14, D13]', (_name, before, after, head) => {
    expect(heads(before, after)).toEqual([head]);
  });

  it('A hunk of a file that is not Lisp is named by its lines [X14, D13]', () => {
    expect(heads('(defun f () 1)\n', '(defun f () 2)\n', 'a.txt')).toEqual(['- | - | Line 1']);
  });

  it('A hunk of a very large file is named by its lines, so that no card waits for it [X14, D13]', () => {
    const large = `${';'.repeat(500_000)}\n`;
    expect(heads(`${large}(defun f () 1)\n`, `${large}(defun f () 2)\n`)).toEqual(['- | - | Lines 1 to 2']);
  });
});
