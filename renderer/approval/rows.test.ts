import { describe, expect, it } from 'vitest';
import { changedSpans, piecesOf, plainPieces, rowsOfPieces } from './pieces.ts';
import { changeRows, type Row, textRows } from './rows.ts';
import { aChange } from './testing.ts';

const drawn = (rows: readonly Row[]): string[] =>
  rows.map((row) => {
    if (row.kind === 'note') return `note ${row.text}`;
    if (row.kind === 'hunk') return `hunk ${row.name ?? '-'} | ${row.what} | +${row.added} -${row.removed}`;
    const parts = row.pieces.map(({ text, part, changed }) => `${changed ? '!' : ''}${part}:${text}`);
    return `${row.before ?? '_'} ${row.after ?? '_'} ${row.sign} ${parts.join('|')}`;
  });

describe('K2 agent text is drawn as it is stored', () => {
  it.each([
    ['a turn around', 'a\u202Eb', ['plain:a', 'hidden:⟨U+202E⟩', 'plain:b']],
    ['no width', '\u200B', ['hidden:⟨U+200B⟩']],
    ['a terminal code', 'x\u001B[31m', ['plain:x', 'hidden:⟨U+001B⟩', 'plain:[31m']],
    ['markup', '<script>', ['plain:<script>']],
    ['nothing', '', []],
  ])('%s', (_title, text, expected) => {
    expect(plainPieces(text).map(({ text: piece, part }) => `${part}:${piece}`)).toEqual(expected);
  });

  it('keeps hidden characters apart within coloured text', () => {
    const rows = textRows('; a\u202E b', true);
    expect(drawn(rows)).toEqual(['_ 1 same comment:; a|hidden:⟨U+202E⟩|comment: b']);
  });

  it('loses no character of a long line, and cuts no surrogate pair', () => {
    const line = `${'x'.repeat(9)}😀${'y'.repeat(12)}`;
    const rows = rowsOfPieces(piecesOf(line, [], null), 10).map((row) => row.map(({ text }) => text).join(''));
    expect([rows.join(''), rows]).toEqual([line, ['xxxxxxxxx😀', 'yyyyyyyyyy', 'yy']]);
  });
});

describe('X14 D13 a whole text', () => {
  it('is numbered, and a line end at its end begins no line', () => {
    expect(drawn(textRows('a\n\nb\n', false))).toEqual(['_ 1 same plain:a', '_ 2 same ', '_ 3 same plain:b']);
  });

  it('says once that its lines end in CR LF, and shows the line that does not', () => {
    expect(drawn(textRows('a\r\nb\r\n', false)).at(-1)).toBe('note Every line ends in CR LF.');
    expect(drawn(textRows('a\r\nb\n', false))).toEqual(['_ 1 same plain:a|hidden:⟨U+000D⟩', '_ 2 same plain:b']);
  });
});

describe('X14 D13 a change', () => {
  const after = '(defun f ()\n  "Doc."\n  (g 2))\n';
  const change = aChange([{ before: 2, after: 2, lines: ['   "Doc."', '-  (g 1))', '+  (g 2))'] }]);

  it('is coloured as the whole file makes it, with what changed within lines', () => {
    expect(drawn(changeRows(change, after, true))).toEqual([
      'hunk f | function | +1 -1',
      '2 2 same plain:  |doc:"Doc."',
      '3 _ removed plain:  |paren:(|plain:g |!number:1|paren:))',
      '_ 3 added plain:  |paren:(|plain:g |!number:2|paren:))',
    ]);
  });

  it('is plain text in a file that is not Lisp', () => {
    expect(drawn(changeRows(change, after, false))).toEqual([
      'hunk - | Lines 2 to 3 | +1 -1',
      '2 2 same plain:  "Doc."',
      '3 _ removed plain:  (g |!plain:1|plain:))',
      '_ 3 added plain:  (g |!plain:2|plain:))',
    ]);
  });

  it('does not name anything by a text that it does not belong to', () => {
    expect(drawn(changeRows(change, '(other)\n', true))[0]).toBe('hunk - | Lines 2 to 3 | +1 -1');
  });

  it('says when the file ends without a line end', () => {
    const unended = aChange([{ before: 0, after: 1, lines: ['+a'] }], { bytesBefore: null });
    expect(drawn(changeRows(unended, 'a', false)).at(-1)).toBe('note The file ends without a line end.');
  });

  it.each([
    ['new', ['+(defvar *a* 1)'], '(defvar *a* 1)\n', '*a* | new variable'],
    ['removed', [' (a)', '-(defun gone ())', ' (b)'], '(a)\n(b)\n', 'gone | removed function'],
    [
      'two',
      ['+(defun a ())', '+(defclass b () ())'],
      '(defun a ())\n(defclass b () ())\n',
      'a | new function and 1 more',
    ],
    [
      'a method',
      [' (defmethod m ((x point) y)', '-  1)', '+  2)'],
      '(defmethod m ((x point) y)\n  2)\n',
      'm (point t) | method',
    ],
  ])('names the definition that is %s', (_title, lines, text, head) => {
    expect(drawn(changeRows(aChange([{ before: 1, after: 1, lines }]), text, true))[0]).toContain(`hunk ${head} |`);
  });
});

describe('D13 what differs within a line', () => {
  it.each([
    ['  (if (>= n 3)', '  (if (>= n *limit*)', ['3', '*limit*']],
    ['(list a)', '(list a b)', ['', ' b']],
    ['abc', 'xyz', null],
    ['(alpha beta)', '(alpha gamma)', ['beta', 'gamma']],
  ])('%j to %j', (before, after, expected) => {
    const spans = changedSpans(before, after);
    const found = spans && [
      before.slice(spans.before.start, spans.before.end),
      after.slice(spans.after.start, spans.after.end),
    ];
    expect(found).toEqual(expected);
  });
});
