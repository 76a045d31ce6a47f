import { describe, expect, it } from 'vitest';
import { changedSpans, piecesOf, plainPieces, rowsOfPieces } from './pieces.ts';
import { changeRows, type Row, textRows } from './rows.ts';
import { aChange } from '../testing.ts';

const drawn = (rows: readonly Row[]): string[] =>
  rows.map((row) => {
    if (row.kind === 'note') return `note ${row.text}`;
    if (row.kind === 'file') return `file ${row.path} | ${row.measures}`;
    if (row.kind === 'hunk') return `hunk ${row.name ?? '-'} | ${row.what} | +${row.added} -${row.removed}`;
    const parts = row.pieces.map(({ text, part, changed }) => `${changed ? '!' : ''}${part}:${text}`);
    return `${row.before ?? '_'} ${row.after ?? '_'} ${row.sign} ${parts.join('|')}`;
  });

describe('agent text as it is stored', () => {
  it.each([
    ['a turn around', 'a\u202Eb', ['plain:a', 'hidden:⟨U+202E⟩', 'plain:b']],
    ['no width', '\u200B', ['hidden:⟨U+200B⟩']],
    ['a terminal code', 'x\u001B[31m', ['plain:x', 'hidden:⟨U+001B⟩', 'plain:[31m']],
    ['markup', '<script>', ['plain:<script>']],
    ['nothing', '', []],
  ])('Agent text is drawn as it is stored: %s [K2]', (_title, text, expected) => {
    expect(plainPieces(text).map(({ text: piece, part }) => `${part}:${piece}`)).toEqual(expected);
  });

  it('Hidden characters are kept apart within coloured text [K2]', () => {
    const rows = textRows('; a\u202E b', true);
    expect(drawn(rows)).toEqual(['_ 1 same comment:; a|hidden:⟨U+202E⟩|comment: b']);
  });

  it('Rows lose no character of a long line, and cut no surrogate pair [K2]', () => {
    const line = `${'x'.repeat(9)}😀${'y'.repeat(12)}`;
    const rows = rowsOfPieces(piecesOf(line, [], null), 10).map((row) => row.map(({ text }) => text).join(''));
    expect([rows.join(''), rows]).toEqual([line, ['xxxxxxxxx😀', 'yyyyyyyyyy', 'yy']]);
  });
});

describe('whole text', () => {
  it('A whole text is numbered, and a line end at its end begins no line [X14, D13]', () => {
    expect(drawn(textRows('a\n\nb\n', false))).toEqual(['_ 1 same plain:a', '_ 2 same ', '_ 3 same plain:b']);
  });

  it('A whole text says once that its lines end in CR LF, and shows the line that does not [X14, D13]', () => {
    expect(drawn(textRows('a\r\nb\r\n', false)).at(-1)).toBe('note Every line ends in CR LF.');
    expect(drawn(textRows('a\r\nb\n', false))).toEqual(['_ 1 same plain:a|hidden:⟨U+000D⟩', '_ 2 same plain:b']);
  });
});

describe('change', () => {
  const after = '(defun f ()\n  "Doc."\n  (g 2))\n';
  const change = aChange([{ before: 2, after: 2, lines: ['   "Doc."', '-  (g 1))', '+  (g 2))'] }]);

  it('A change is coloured as the whole file makes it, with what changed within lines [X14, D13]', () => {
    expect(drawn(changeRows(change, after, true))).toEqual([
      'hunk - | Lines | +1 -1',
      '2 2 same plain:  |doc:"Doc."',
      '3 _ removed plain:  |paren:(|plain:g |!number:1|paren:))',
      '_ 3 added plain:  |paren:(|plain:g |!number:2|paren:))',
    ]);
  });

  it('A change is plain text in a file that is not Lisp [X14, D13]', () => {
    expect(drawn(changeRows(change, after, false))).toEqual([
      'hunk - | Lines | +1 -1',
      '2 2 same plain:  "Doc."',
      '3 _ removed plain:  (g |!plain:1|plain:))',
      '_ 3 added plain:  (g |!plain:2|plain:))',
    ]);
  });

  it('A change is not coloured by a text that it does not belong to [X14, D13]', () => {
    expect(drawn(changeRows(change, '"other\n', true))).toEqual(drawn(changeRows(change, null, true)));
  });

  it('A change says when the file ends without a line end [X14, D13]', () => {
    const unended = aChange([{ before: 0, after: 1, lines: ['+a'] }], { bytesBefore: null });
    expect(drawn(changeRows(unended, 'a', false)).at(-1)).toBe('note The file does not end with a newline.');
  });
});

describe('what differs within a line', () => {
  it.each([
    ['  (if (>= n 3)', '  (if (>= n *limit*)', ['3', '*limit*']],
    ['(list a)', '(list a b)', ['', ' b']],
    ['abc', 'xyz', null],
    ['(alpha beta)', '(alpha gamma)', ['beta', 'gamma']],
  ])('The spans that differ are found from %j to %j [D13]', (before, after, expected) => {
    const spans = changedSpans(before, after);
    const found = spans && [
      before.slice(spans.before.start, spans.before.end),
      after.slice(spans.after.start, spans.after.end),
    ];
    expect(found).toEqual(expected);
  });
});
