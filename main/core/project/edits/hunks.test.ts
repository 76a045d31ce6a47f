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

/**
 * Returns the lines of each hunk as the card shows them. `-5: text` is line 5 of the old text, `+:6 text` is line 6 of the new text, and `
 * 5:6 text` is an unchanged line that is line 5 of the old text and line 6 of the new one.
 */
function drawn(oldText: string, newText: string, lisp: boolean): string[][] {
  const signs = { same: ' ', removed: '-', added: '+' };
  return hunksOf(oldText, newText, lisp)!.shown.map(({ lines }) =>
    lines.map(({ kind, text, before: was, after: is }) => `${signs[kind]}${was ?? ''}:${is ?? ''} ${text}`),
  );
}

/** Returns the lines 1 to `count`, with some of them changed. */
function numbered(count: number, changes: Record<number, string> = {}): string {
  return Array.from({ length: count }, (_, index) => changes[index + 1] ?? `${index + 1}\n`).join('');
}

/** A definition of fifteen lines. Its third line is `(x 1)`. */
const long = `(defun a ()\n${Array.from({ length: 13 }, (_, index) => `  (x ${index})\n`).join('')}  nil)\n`;

describe('hunks', () => {
  it('The hunks of a Lisp file are its definitions, each with its own changes, wherever they lie in it [X15]', () => {
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
  ])('Taking the hunks %j gives that text [X15]', (chosen, expected) => {
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
  ])('All of the hunks give the new text and none of them the old: %s [X15]', (_name, oldText, newText) => {
    for (const lisp of [true, false]) {
      const { take, shown } = hunksOf(oldText, newText, lisp)!;
      expect([take(null), take(shown.map((_, index) => index)), take([])]).toEqual([newText, newText, oldText]);
    }
  });

  it('Hunks of thousands of random changes put together from any choice change just the chosen lines [X15]', () => {
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 300; round += 1) {
      const oldLines = Array.from({ length: random(30) }, () => `(x${random(6)})\n`);
      const newLines = oldLines.flatMap(
        (line) => [[], [line], [line], [line, `(y${random(9)})\n`], [`(z)\n`]][random(5)]!,
      );
      for (const lisp of [true, false]) {
        const { take, shown } = hunksOf(oldLines.join(''), newLines.join(''), lisp)!;
        const all = shown.map((_, index) => index);
        const some = all.filter(() => random(2) === 0);
        const others = all.filter((index) => !some.includes(index));
        expect(take(all)).toBe(newLines.join(''));
        const rest = hunksOf(take(some), newLines.join(''), lisp)!;
        const count = (hunks: typeof shown): number =>
          hunks.flatMap(({ lines }) => lines).filter(({ kind }) => kind === 'added').length;
        expect(count(rest.shown)).toBeLessThanOrEqual(count(others.map((index) => shown[index]!)));
      }
    }
  });

  it('Hunks number lines as an editor does and show three around, which no two share [X15]', () => {
    const { shown } = hunksOf(before, after, true)!;
    const numbers = shown.map(({ lines }) => lines.map(({ before, after }) => after ?? before));
    expect(numbers[0]).toEqual([1, 2, 3, 4, 4, 5, 6, 7]);
    expect(
      new Set(shown.flatMap(({ lines }) => lines.flatMap(({ kind, after: line }) => (kind === 'added' ? [line] : []))))
        .size,
    ).toBe(9);
  });

  it.each([
    ['\n', '(defun b () 1) ; last'],
    ['\r\n', '(defun b () 1)'],
  ])('Hunks never run on in a line that had no end, ends of lines being %j [X15]', (end, last) => {
    const oldText = ['(defun a () 1)', last].join(end);
    const { shown, take } = hunksOf(oldText, [oldText, '', '(defun c () 3)', '(defun d () 4)'].join(end), true)!;
    expect(take([shown.length - 1])).toBe([oldText, '(defun d () 4)'].join(end));
  });

  it('Hunks end lines as the text does where a line that had no end is not the last any more [X15]', () => {
    const { shown, take } = hunksOf('(a)\r\n(b)', '(a)\r\n(b)\r\n(c)\r\n(d)', true)!;
    expect(take([shown.length - 1])).toBe('(a)\r\n(b)\r\n(d)');
    const other = hunksOf('(a)\n(b)', '(a)\n(b)\n(c)\n(d)', true)!;
    expect(other.take([other.shown.length - 1])).toBe('(a)\n(b)\n(d)');
  });

  it('Taking a hunk that is not there changes nothing [X15]', () => {
    expect(hunksOf(before, after, true)!.take([7])).toBe(before);
  });

  it.each<[string, boolean, string, string, string[][]]>([
    [
      'lines of a text with six others between them are one hunk',
      false,
      numbered(16),
      numbered(16, { 5: 'five\n', 12: 'twelve\n' }),
      [
        [
          ' 2:2 2',
          ' 3:3 3',
          ' 4:4 4',
          '-5: 5',
          '+:5 five',
          ' 6:6 6',
          ' 7:7 7',
          ' 8:8 8',
          ' 9:9 9',
          ' 10:10 10',
          ' 11:11 11',
          '-12: 12',
          '+:12 twelve',
          ' 13:13 13',
          ' 14:14 14',
          ' 15:15 15',
        ],
      ],
    ],
    [
      'lines of a text with seven others between them are two hunks',
      false,
      numbered(16),
      numbered(16, { 5: 'five\n', 13: 'thirteen\n' }),
      [
        [' 2:2 2', ' 3:3 3', ' 4:4 4', '-5: 5', '+:5 five', ' 6:6 6', ' 7:7 7', ' 8:8 8'],
        [' 10:10 10', ' 11:11 11', ' 12:12 12', '-13: 13', '+:13 thirteen', ' 14:14 14', ' 15:15 15', ' 16:16 16'],
      ],
    ],
    [
      'a line that is near the last of three hunks is part of it, numbered by what went before',
      false,
      numbered(26),
      numbered(26, { 2: '', 12: 'twelve\n12b\n', 22: 'x\n', 24: '' }),
      [
        [' 1:1 1', '-2: 2', ' 3:2 3', ' 4:3 4', ' 5:4 5'],
        [
          ' 9:8 9',
          ' 10:9 10',
          ' 11:10 11',
          '-12: 12',
          '+:11 twelve',
          '+:12 12b',
          ' 13:13 13',
          ' 14:14 14',
          ' 15:15 15',
        ],
        [' 19:19 19', ' 20:20 20', ' 21:21 21', '-22: 22', '+:22 x', ' 23:23 23', '-24: 24', ' 25:24 25', ' 26:25 26'],
      ],
    ],
    [
      'lines of a definition with six others between them are shown whole',
      true,
      long,
      long.replace('(x 1)', '(y 1)').replace('(x 8)', '(y 8)'),
      [
        [
          ' 1:1 (defun a ()',
          ' 2:2   (x 0)',
          '-3:   (x 1)',
          '+:3   (y 1)',
          ' 4:4   (x 2)',
          ' 5:5   (x 3)',
          ' 6:6   (x 4)',
          ' 7:7   (x 5)',
          ' 8:8   (x 6)',
          ' 9:9   (x 7)',
          '-10:   (x 8)',
          '+:10   (y 8)',
          ' 11:11   (x 9)',
          ' 12:12   (x 10)',
          ' 13:13   (x 11)',
        ],
      ],
    ],
    [
      'lines of a definition that lie far apart are shown with three around each, and nothing of another hunk',
      true,
      `; head\n\n${long}(b)\n`,
      `; top\n\n${long.replace('(x 1)', '(y 1)').replace('(x 9)', '(y 9)\n  (z)')}(c)\n`,
      [
        [
          '-1: ; head',
          '+:1 ; top',
          ' 2:2 ',
          ' 3:3 (defun a ()',
          ' 4:4   (x 0)',
          '-5:   (x 1)',
          '+:5   (y 1)',
          ' 6:6   (x 2)',
          ' 7:7   (x 3)',
          ' 8:8   (x 4)',
          ' 10:10   (x 6)',
          ' 11:11   (x 7)',
          ' 12:12   (x 8)',
          '-13:   (x 9)',
          '+:13   (y 9)',
          '+:14   (z)',
          ' 14:15   (x 10)',
          ' 15:16   (x 11)',
          ' 16:17   (x 12)',
        ],
        [' 15:16   (x 11)', ' 16:17   (x 12)', ' 17:18   nil)', '-18: (b)', '+:19 (c)'],
      ],
    ],
    [
      'the changes of a third definition are one hunk',
      true,
      '(a 1)\n(b\n 1)\n(c\n 1\n 2\n 3)\n',
      '(a 2)\n(b\n 2)\n(c\n 4\n 2\n 5)\n',
      [
        ['-1: (a 1)', '+:1 (a 2)', ' 2:2 (b'],
        [' 2:2 (b', '-3:  1)', '+:3  2)', ' 4:4 (c'],
        [' 4:4 (c', '-5:  1', '+:5  4', ' 6:6  2', '-7:  3)', '+:7  5)'],
      ],
    ],
    [
      'comments after the last definition are part of it',
      true,
      '(a)\n\n(b)\n; 1\n; 2\n',
      '(a)\n\n(c)\n; 1\n; 3\n; 4\n',
      [[' 1:1 (a)', ' 2:2 ', '-3: (b)', '+:3 (c)', ' 4:4 ; 1', '-5: ; 2', '+:5 ; 3', '+:6 ; 4']],
    ],
    [
      'the end of a definition and what is deleted behind it are one hunk',
      true,
      '(a\n 1\n 2\n 3)\n; x\n',
      '(a\n 9\n 2\n 3)\n',
      [[' 1:1 (a', '-2:  1', '+:2  9', ' 3:3  2', ' 4:4  3)', '-5: ; x']],
    ],
    [
      'a definition that is not closed ends where the next begins',
      true,
      '(c)\n',
      '(a\n(b 1)\n(c)\n',
      [['+:1 (a'], ['+:2 (b 1)', ' 1:3 (c)']],
    ],
    [
      'two definitions that are put between others are two hunks',
      true,
      '(a)\n\n(b)\n',
      '(a)\n\n(x)\n\n(y)\n\n(b)\n',
      [
        [' 1:1 (a)', ' 2:2 ', '+:3 (x)', '+:4 '],
        ['+:5 (y)', '+:6 ', ' 3:7 (b)'],
      ],
    ],
    [
      'two definitions that are put between others without empty lines are two hunks',
      true,
      '(a)\n(b)\n',
      '(a)\n(x)\n(y)\n(b)\n',
      [
        [' 1:1 (a)', '+:2 (x)'],
        ['+:3 (y)', ' 2:4 (b)'],
      ],
    ],
    [
      'a last line without an end is shown whole',
      false,
      '1\nlast',
      '1\nlatest',
      [[' 1:1 1', '-2: last', '+:2 latest']],
    ],
    [
      'two lines in the place of two definitions are one hunk',
      true,
      '(a 1)\n(b 1)\n(c)\n',
      '(a 2)\n(b 2)\n(c)\n',
      [['-1: (a 1)', '-2: (b 1)', '+:1 (a 2)', '+:2 (b 2)', ' 3:3 (c)']],
    ],
    [
      'two definitions in the place of one are two hunks, of which the first takes its place',
      true,
      '(a\n 1\n 2)\n(c)\n',
      '(x)\n(y)\n(c)\n',
      [
        ['-1: (a', '-2:  1', '-3:  2)', '+:1 (x)'],
        ['+:2 (y)', ' 4:3 (c)'],
      ],
    ],
    [
      'two definitions in the place of one have the empty line between them with the second',
      true,
      '(a\n 1\n 2)\n(c)\n',
      '(x)\n\n(y)\n\n(z)\n(c)\n',
      [
        ['-1: (a', '-2:  1', '-3:  2)', '+:1 (x)'],
        ['+:2 ', '+:3 (y)', '+:4 '],
        ['+:5 (z)', ' 4:6 (c)'],
      ],
    ],
    [
      'what changes the end of one definition and the next is a hunk of its own',
      true,
      '(a\n 1\n 2\n 3)\n(b)\n(c)\n',
      '(a\n 9\n 2\n 4)\n(e)\n(c)\n',
      [
        [' 1:1 (a', '-2:  1', '+:2  9', ' 3:3  2'],
        [' 3:3  2', '-4:  3)', '-5: (b)', '+:4  4)', '+:5 (e)', ' 6:6 (c)'],
      ],
    ],
  ])('Hunks are what a person takes or leaves as one: %s [X15]', (_name, lisp, oldText, newText, expected) => {
    expect(drawn(oldText, newText, lisp)).toEqual(expected);
  });

  it('There are hunks for two hundred thousand lines of both texts together, and for no more [X15]', () => {
    const half = 'a\n'.repeat(100_000);
    expect(hunksOf(half, half, false)?.shown).toEqual([]);
    expect(hunksOf(half, `${half}b\n`, false)).toBeNull();
  });

  it('There are no hunks for what differs too much to be compared soon [X15]', () => {
    const [oldText, newText] = ['a', 'b'].map((name) => numbered(90_000).replaceAll('\n', `${name}\n`));
    expect(hunksOf(oldText!, newText!, false)).toBeNull();
  });

  it('There are no hunks for what is too long to compare [X15]', () => {
    expect(hunksOf('a\n'.repeat(150_000), 'b\n'.repeat(150_000), false)).toBeNull();
  });
});
