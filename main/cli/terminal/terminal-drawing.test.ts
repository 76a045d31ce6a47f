import { describe, expect, it } from 'vitest';
import { inColumns, layOut } from './terminal-drawing.ts';

describe('rows on a terminal', () => {
  it.each<[string, [string, number, number, number], object]>([
    ['short text', ['(a)', 3, 40, 9], { rows: ['* (a)'], row: 0, column: 5 }],
    ['a cursor within it', ['(a)', 1, 40, 9], { rows: ['* (a)'], row: 0, column: 3 }],
    ['lines below each other', ['(a\nb)', 3, 40, 9], { rows: ['* (a', '  b)'], row: 1, column: 2 }],
    ['text that is wider than the terminal', ['abcdefgh', 8, 8, 9], { rows: ['* abcde', 'fgh'], row: 1, column: 3 }],
    ['wide characters', ['日本語', 2, 8, 9], { rows: ['* 日本', '語'], row: 0, column: 6 }],
    ['what hides in it', ['a\u202E', 2, 40, 9], { rows: ['* a⟨U+202E⟩'], row: 0, column: 11 }],
    ['more rows than there are', ['1\n2\n3\n4\n5', 8, 40, 3], { rows: ['  3', '  4', '  5'], row: 2, column: 2 }],
    ['the first of many rows', ['1\n2\n3\n4\n5', 0, 40, 3], { rows: ['* 1', '  2', '  3'], row: 0, column: 2 }],
  ])('A terminal draws %s', (_what, [text, cursor, columns, most], drawing) => {
    expect(layOut('* ', text, cursor, columns, most)).toEqual(drawing);
  });

  it('Completions are listed in columns, and those that are left out are counted', () => {
    expect(inColumns(['car', 'cdr', 'caddr', 'cons'], 15, 3)).toBe('car    cdr\ncaddr\n… and 1 more\n');
  });
});
