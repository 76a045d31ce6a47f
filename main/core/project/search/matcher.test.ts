import { describe, expect, it } from 'vitest';
import { searchSource, type Sought } from '#contract/text/search-expression.ts';
import { matcher } from './matcher.ts';

/** Returns the matches in a line, each as the matching part of the displayed text. */
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

  it('An expression finds in a text exactly the lines that match alone, whatever it says of ends, space and neighbours [issue 35.3]', () => {
    const texts = [
      '',
      '\n',
      'a\n\n b\r\n\r\nab',
      '\r\n a b\rb a\u2028b\n\tb',
      'ab\n'.repeat(3),
      '(a\n b)\n(a b)\n',
      '\u{1F600}a\nA\r',
    ];
    const patterns = String.raw`a ^a a$ ^$ ^\s*b \s \s+$ [^a]b [^b]*$ a\s+b (?!b)a$ (?<!\s)b (?<=^\s)b a(?!\s) a(?=\n|$) (a|b)\1?$ \Bb \bb\b x* . \r [^]b \u{1F600}`;
    for (const pattern of patterns.split(' '))
      for (const wholeWord of [false, true])
        for (const text of texts) {
          const alone = text
            .split(/\r?\n/)
            .flatMap((line, index) =>
              RegExp(searchSource({ pattern, regex: true, wholeWord }), 'iu').test(line) ? [index + 1] : [],
            );
          const found = matcher(pattern, { regex: true, wholeWord })(text).map(({ line }) => line);
          expect({ pattern, wholeWord, text, found }).toEqual({ pattern, wholeWord, text, found: alone });
        }
  });

  it('An expression that goes over the ends of lines finds its lines also where the whole text would take too long [issue 35.3]', () => {
    const text = `${'aaaa aaaa\n'.repeat(4000)}aaab\n`;
    const pattern = String.raw`^(a|\s)*b`;
    expect(matcher(pattern, { regex: true })(text)).toMatchObject([{ line: 4001 }]);
    expect(matcher(pattern, { regex: true }).all([text, 'b'])).toMatchObject([[{ line: 4001 }], [{ line: 1 }]]);
  });
});
