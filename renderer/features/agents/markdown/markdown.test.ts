import { describe, expect, it } from 'vitest';
import { type Block, blocksOf } from './blocks.ts';
import { type Inline, inlinesOf } from './inlines.ts';
import { plainText } from './plain-text.ts';

const text = (words: string): Inline => ({ kind: 'text', text: words });
const paragraph = (...parts: Inline[]): Block => ({ kind: 'paragraph', parts });

describe('markdown within a line', () => {
  it('Emphasis, code and deletions are told from the text around them [issue 14.3]', () => {
    expect(inlinesOf('a **b *c* d** `e * f` ~~g~~ h')).toEqual([
      text('a '),
      { kind: 'strong', parts: [text('b '), { kind: 'emphasis', parts: [text('c')] }, text(' d')] },
      text(' '),
      { kind: 'code', text: 'e * f' },
      text(' '),
      { kind: 'deleted', parts: [text('g')] },
      text(' h'),
    ]);
    expect(inlinesOf('***both***')).toEqual([{ kind: 'emphasis', parts: [{ kind: 'strong', parts: [text('both')] }] }]);
  });

  it('Marks that begin or end nothing stay text, as do escaped ones and those within names [issue 14.3]', () => {
    for (const plain of ['2 * 3 * 4', '**open', 'snake_case_name', '~one~', '[no link]', 'a ] b', '!'])
      expect(inlinesOf(plain)).toEqual([text(plain)]);
    expect(inlinesOf('\\*not\\* \\a')).toEqual([text('*not* \\a')]);
  });

  it('HTML is text [issue 14.3]', () => {
    expect(inlinesOf('<img src=x onerror=alert(1)> <b>')).toEqual([text('<img src=x onerror=alert(1)> <b>')]);
    expect(blocksOf('<script>\nalert(1)\n</script>')).toEqual([paragraph(text('<script>\nalert(1)\n</script>'))]);
  });

  it('Objects and names of Lisp between angles are text [issue 36.5]', () => {
    for (const plain of ['#<FUNCTION F>', 'a <sb-impl::name> b', '<a@b.example>', 'file.sh, //x and ftp://x'])
      expect(inlinesOf(plain)).toEqual([text(plain)]);
  });

  it('A link has its words and its address, and holds no other link [issue 14.3]', () => {
    expect(inlinesOf('see [**the** docs](https://example.org/a_(b) "Title").')).toEqual([
      text('see '),
      {
        kind: 'link',
        address: 'https://example.org/a_(b)',
        parts: [{ kind: 'strong', parts: [text('the')] }, text(' docs')],
      },
      text('.'),
    ]);
    expect(inlinesOf('[https://a.example](https://b.example)')).toEqual([
      { kind: 'link', address: 'https://b.example', parts: [text('https://a.example')] },
    ]);
    expect(inlinesOf('[a [b](c) d](e)')).toEqual([
      text('[a '),
      { kind: 'link', address: 'c', parts: [text('b')] },
      text(' d](e)'),
    ]);
  });

  it('An address by itself is a link without the signs of the sentence, and a picture is a link to it [issue 14.3]', () => {
    expect(inlinesOf('(https://a.example/x), ![cat](https://a.example/cat.png)')).toEqual([
      text('('),
      { kind: 'link', address: 'https://a.example/x', parts: [text('https://a.example/x')] },
      text('), '),
      { kind: 'link', address: 'https://a.example/cat.png', parts: [text('cat')] },
    ]);
    expect(inlinesOf('<mailto:a@b.example>')).toEqual([
      { kind: 'link', address: 'mailto:a@b.example', parts: [text('mailto:a@b.example')] },
    ]);
  });
});

describe('character references', () => {
  it.each([
    ['names', '&lt;b&gt; &amp;amp; &quot;&apos; &copy;&nbsp;&NotEqualTilde;', '<b> &amp; "\' \u00A9\u00A0\u2242\u0338'],
    ['numbers', '&#39; &#x27; &#X1F600; &#0; &#xD800; &#x110000;', "' ' \u{1F600} \uFFFD \uFFFD \uFFFD"],
    ['what is none', '&unknown; &amp &#; &#x; &#12345678; &x &; AT&T', null],
  ])('Of %s are decoded as CommonMark does [issue 14.3]', (_what, written, meant) => {
    expect(inlinesOf(written)).toEqual([text(meant ?? written)]);
  });

  it('Of marks are text, and begin nothing [issue 14.3]', () => {
    expect(inlinesOf('&#42;a&#42; &lsqb;b&rsqb;(c) &#96;d&#96;')).toEqual([text('*a* [b](c) `d`')]);
  });

  it('Are decoded in addresses and languages, and stand as they are in code [issue 14.3]', () => {
    expect(inlinesOf('[a](https://a.b/?c=1&amp;d=2) `&lt;`')).toEqual([
      { kind: 'link', address: 'https://a.b/?c=1&d=2', parts: [text('a')] },
      text(' '),
      { kind: 'code', text: '&lt;' },
    ]);
    expect(blocksOf('```c&plus;&plus;\n&lt;\n```')).toEqual([{ kind: 'code', language: 'c++', text: '&lt;' }]);
  });
});

describe('markdown blocks', () => {
  it('Paragraphs, headings, rules and quotes are told apart [issue 14.3]', () => {
    expect(blocksOf('# One ##\nfirst\nsecond\n\n---\n> said\n> again\n\nlast')).toEqual([
      { kind: 'heading', level: 1, parts: [text('One')] },
      paragraph(text('first\nsecond')),
      { kind: 'rule' },
      { kind: 'quote', blocks: [paragraph(text('said\nagain'))] },
      paragraph(text('last')),
    ]);
  });

  it('Code keeps its lines as they are, and a fence that is not closed yet holds what came [issue 14.3]', () => {
    expect(blocksOf('```lisp\n(defun sq (x)\n\n  (* x x))\n```\nafter')).toEqual([
      { kind: 'code', language: 'lisp', text: '(defun sq (x)\n\n  (* x x))' },
      paragraph(text('after')),
    ]);
    expect(blocksOf('~~~\n```\n# no heading')).toEqual([{ kind: 'code', language: '', text: '```\n# no heading' }]);
  });

  it('Lists have items with blocks of their own, lists among them [issue 14.3]', () => {
    expect(blocksOf('3. a\n   - b\n   - c\n\n4. d\ne\n\nf')).toEqual([
      {
        kind: 'list',
        first: 3,
        items: [
          [
            paragraph(text('a')),
            { kind: 'list', first: null, items: [[paragraph(text('b'))], [paragraph(text('c'))]] },
          ],
          [paragraph(text('d\ne'))],
        ],
      },
      paragraph(text('f')),
    ]);
  });

  it('A table has a head, alignments and rows, and ends at an empty line or another block [issue 14.3]', () => {
    const written = '| a | *b* | c |\n|:--|:-:|--:|\n| 1 | `x \\| y` |\n2 | 3 | 4 | too many\n5';
    const table = {
      kind: 'table',
      head: { cells: ['a', '*b*', 'c'], columns: ['start', 'center', 'end'] },
      rows: [
        ['1', '`x | y`', ''],
        ['2', '3', '4'],
        ['5', '', ''],
      ],
      text: written,
    };
    expect(blocksOf(`${written}\n\nx`)).toEqual([table, paragraph(text('x'))]);
    expect(blocksOf(`Words before\n${written}\n# Next`)).toEqual([
      paragraph(text('Words before')),
      table,
      { kind: 'heading', level: 1, parts: [text('Next')] },
    ]);
  });

  it('A table within a quote or a list is written without their marks [issue 36.5]', () => {
    const text = 'a | b\n--|--\n1 | 2';
    for (const written of ['> > a | b\n> > --|--\n> > 1 | 2', '- 10. a | b\n      --|--\n      1 | 2'])
      expect(JSON.stringify(blocksOf(written))).toContain(JSON.stringify({ text }).slice(1, -1));
  });

  it('Quotes and lists beyond the deepest level are text, and none of it is left out [issue 36.5]', () => {
    for (const mark of ['> ', '- ', '1. '])
      expect(plainText(`${mark.repeat(500)}end\n\nafter`)).toMatch(/end\.? after$/);
    expect(inlinesOf(`${'*a '.repeat(500)}end${'*'.repeat(500)}`)).toHaveLength(1);
  });

  it('Text over dashes is no heading, and the definition of a link is shown [issue 36.5]', () => {
    expect(blocksOf('Title\n-')).toEqual([paragraph(text('Title\n-'))]);
    expect(blocksOf('[a]: b')).toEqual([paragraph(text('[a]: b'))]);
  });

  it('Lines with bars that are no table are text [issue 14.3]', () => {
    for (const plain of ['a | b\nc | d', 'a | b\n:--', 'a | b\n--|--|--', `${'a|'.repeat(65)}\n${'-|'.repeat(65)}`])
      expect(blocksOf(plain)).toEqual([paragraph(text(plain))]);
  });

  const hostile: [string, string][] = [
    ['openings', '['],
    ['closings', ']'],
    ['both', '[]('],
    ['stars', '*a'],
    ['mixed marks', '*_~~['],
    ['backquotes', '`a``b```'],
    ['angles', '<http://'],
    ['addresses', 'https://a.b)).. '],
    ['brackets after an address', ')'],
    ['quotes', '>'],
    ['lists', '- '],
    ['numbers', '1. '],
    ['fences', '```\n'],
    ['table heads', 'a|b\n'],
    ['tables', 'a|b\n-|-\n'],
    ['cells', '|a'],
    ['references', '&amp;'],
    ['unknown references', '&a#&'],
    ['rules', '- -'],
    ['escapes', '\\'],
    ['bangs', '!['],
    ['signs', '#'],
    ['links', '[a](b '],
    ['addresses without an end', 'https://'],
    ['schemes', 'a://'],
    ['lines', 'a\n'],
    ['items of lists in a line', '- - a\n'],
    ['lines of quotes', '> a\n'],
    ['definitions', '[a]: b\n'],
  ];
  it.each(hostile)(
    'Two hundred thousand characters of %s are read in time that grows with their number [issue 14.3]',
    (_name, piece) => {
      const many = piece.repeat(Math.ceil(200_000 / piece.length));
      const few = many.slice(0, 20_000);
      // A text that is ten times as long must take about ten times as long, not a hundred times. The limit leaves room for a busy machine.
      blocksOf(few);
      const small = timeOf(few);
      const large = timeOf(many);
      expect(large).toBeLessThan(Math.max(small, 150) * 40);
    },
  );
});

function timeOf(markdown: string): number {
  const before = performance.now();
  expect(blocksOf(markdown).length).toBeGreaterThan(0);
  return performance.now() - before;
}
