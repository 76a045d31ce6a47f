import { describe, expect, it } from 'vitest';
import { hunksOf } from './hunks.ts';

const before = `(in-package :shop)

(defun total (cart)
  (reduce #'+ cart))

;; how much
(defun shipping (cart)
  (if (> (total cart) 50)
      0
      5))

(defvar *limit* 50)
`;
const after = before
  .replace('(reduce', '(reduce ; sums')
  .replace('      5))', '      6))\n\n(defun fresh ()\n  1)\n\n(defun fresher ()\n  2)')
  .replace('50)\n', '*limit*)\n');

describe('X15 hunks', () => {
  it('of a Lisp file are its definitions, each with its own changes, wherever they lie in it', () => {
    const { shown } = hunksOf(before, after, true)!;
    expect(
      shown.map(({ lines }) => lines.filter(({ kind }) => kind !== 'same').map(({ text }) => text.trim())),
    ).toEqual([
      ["(reduce #'+ cart))", "(reduce ; sums #'+ cart))"],
      ['(if (> (total cart) 50)', '(if (> (total cart) *limit*)', '5))', '6))'],
      ['(defun fresh ()', '1)', ''],
      ['(defun fresher ()', '2)', ''],
    ]);
  });

  it.each([
    [[], before],
    [[0, 1, 2, 3], after],
    [[0], before.replace('(reduce', '(reduce ; sums')],
    [[1], before.replace('      5))', '      6))').replace('50)\n', '*limit*)\n')],
    [[3], before.replace('(defvar', '(defun fresher ()\n  2)\n\n(defvar')],
  ])('taken %j give that text', (chosen, expected) => {
    expect(hunksOf(before, after, true)!.take(chosen)).toBe(expected);
  });

  it.each<[string, string, string]>([
    ['an end without a line feed', 'a\nb', 'a\nb\n'],
    ['ends of Windows', 'a\r\nb\r\n', 'a\r\nc\r\n'],
    ['an empty text', '', 'a\nb\n'],
    ['a text that becomes empty', 'a\nb\n', ''],
    ['no change', 'a\n', 'a\n'],
    ['only line ends', 'a\nb\n', 'a\r\nb\r\n'],
    ['unbalanced Lisp', '(a\n(b', '(a\n(c\n'],
  ])('%s: all of them give the new text, none the old', (_name, old, young) => {
    for (const lisp of [true, false]) {
      const { take, shown } = hunksOf(old, young, lisp)!;
      expect([take(null), take(shown.map((_, index) => index)), take([])]).toEqual([young, young, old]);
    }
  });

  it('of thousands of random changes put together from any choice change just the chosen lines', () => {
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 300; round += 1) {
      const old = Array.from({ length: random(30) }, () => `(x${random(6)})\n`);
      const young = old.flatMap((line) => [[], [line], [line], [line, `(y${random(9)})\n`], [`(z)\n`]][random(5)]!);
      for (const lisp of [true, false]) {
        const { take, shown } = hunksOf(old.join(''), young.join(''), lisp)!;
        const all = shown.map((_, index) => index);
        const some = all.filter(() => random(2) === 0);
        const others = all.filter((index) => !some.includes(index));
        expect(take(all)).toBe(young.join(''));
        const rest = hunksOf(take(some), young.join(''), lisp)!;
        const count = (hunks: typeof shown): number =>
          hunks.flatMap(({ lines }) => lines).filter(({ kind }) => kind === 'added').length;
        expect(count(rest.shown)).toBeLessThanOrEqual(count(others.map((index) => shown[index]!)));
      }
    }
  });

  it('number lines as an editor does and show three around, which no two share', () => {
    const { shown } = hunksOf(before, after, true)!;
    const numbers = shown.map(({ lines }) => lines.map(({ before: old, after: young }) => young ?? old));
    expect(numbers[0]).toEqual([1, 2, 3, 4, 4, 5, 6, 7]);
    expect(
      new Set(shown.flatMap(({ lines }) => lines.flatMap(({ kind, after: line }) => (kind === 'added' ? [line] : []))))
        .size,
    ).toBe(9);
  });

  it.each([
    ['\n', '(defun b () 1) ; last'],
    ['\r\n', '(defun b () 1)'],
  ])('never run on in a line that had no end, ends of lines being %j', (end, last) => {
    const old = ['(defun a () 1)', last].join(end);
    const { shown, take } = hunksOf(old, [old, '', '(defun c () 3)', '(defun d () 4)'].join(end), true)!;
    expect(take([shown.length - 1])).toBe([old, '(defun d () 4)'].join(end));
  });

  it('are none for what is too long to compare', () => {
    expect(hunksOf('a\n'.repeat(150_000), 'b\n'.repeat(150_000), false)).toBeNull();
  });
});
