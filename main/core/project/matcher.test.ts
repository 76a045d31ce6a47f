import { describe, expect, it } from 'vitest';
import type { Sought } from '#contract/search-expression.ts';
import { matcher } from './matcher.ts';

/** The matches in one line, each as it is marked in the text that is shown. */
function marked(line: string, pattern: string, how: Partial<Omit<Sought, 'pattern'>> = {}): string[] {
  return matcher(pattern, how)(line).flatMap(({ text, marks }) => marks.map(([start, end]) => text.slice(start, end)));
}

describe('lines that match', () => {
  it('Each match of a line is told by its place, of a text and of an expression alike', () => {
    const text = '(total cart)\r\n  (+ Total total)\r\n';
    const hits = [
      {
        line: 1,
        column: 2,
        text: '(total cart)',
        marks: [[1, 6]],
      },
      {
        line: 2,
        column: 6,
        text: '  (+ Total total)',
        marks: [
          [5, 10],
          [11, 16],
        ],
      },
    ];
    expect(matcher('total')(text)).toEqual(hits);
    expect(matcher('t[o]tal', { regex: true })(text)).toEqual(hits);
    expect(matcher(String.raw`total\)$`, { regex: true })(text)).toMatchObject([{ line: 2, marks: [[11, 17]] }]);
    expect(matcher('x*', { regex: true })('a')).toMatchObject([{ line: 1, column: 1, marks: [] }]);
  });

  it('Case counts where it is asked for, and where nobody says so, when the pattern has capital letters', () => {
    for (const regex of [false, true]) {
      expect(marked('Total total', 'total', { regex, matchCase: true })).toEqual(['total']);
      expect(marked('Total total', 'Total', { regex, matchCase: false })).toEqual(['Total', 'total']);
      expect(marked('Total total', 'Total', { regex })).toEqual(['Total']);
      expect(marked('Total total', 'total', { regex })).toEqual(['Total', 'total']);
    }
  });

  it('A whole word ends where a symbol does, at the marks of packages and at the full stop of a sentence', () => {
    const line = `(price price-list shop:price #'price :price "price" the-price) ; the price. Not price.lisp`;
    for (const regex of [false, true])
      expect(matcher('price', { regex, wholeWord: true })(line)[0]!.marks.map(([start]) => start)).toEqual([
        1, 23, 31, 38, 45, 69,
      ]);
    expect(marked('(price-list)', 'price', { wholeWord: true })).toEqual([]);
    expect(marked('(a (b) c)', '(b)', { wholeWord: true })).toEqual(['(b)']);
    expect(marked('ab a', 'a|ab', { regex: true, wholeWord: true })).toEqual(['ab', 'a']);
  });

  it('Of a very long line the part about the first match is told', () => {
    const [hit] = matcher('needle')(`${'.'.repeat(1000)}needle${'.'.repeat(1000)}`);
    expect(hit).toMatchObject({
      column: 1001,
      text: `…${'.'.repeat(100)}needle${'.'.repeat(194)}…`,
      marks: [[101, 107]],
    });
    const [cut] = matcher('x+', { regex: true })('x'.repeat(1000));
    expect(cut).toMatchObject({ column: 1, text: `${'x'.repeat(300)}…`, marks: [[0, 300]] });
  });
});
