import { describe, expect, it } from 'vitest';
import { type Block, blocksOf } from './blocks.ts';
import { type Inline, inlinesOf } from './inlines.ts';

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

  it('A table is its text [issue 14.3]', () => {
    expect(blocksOf('a | b\n--|--\n1 | 2\n\nx')).toEqual([
      { kind: 'table', text: 'a | b\n--|--\n1 | 2' },
      paragraph(text('x')),
    ]);
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
    ['rules', '- -'],
    ['escapes', '\\'],
    ['bangs', '!['],
    ['signs', '#'],
    ['links', '[a](b '],
  ];
  it.each(hostile)(
    'Two hundred thousand characters of %s are read in time that grows with their number [issue 14.3]',
    (_name, piece) => {
      const many = piece.repeat(Math.ceil(200_000 / piece.length));
      const few = many.slice(0, 20_000);
      // Ten times the text takes ten times the time, and not a hundred: with room for a busy machine.
      blocksOf(few);
      const small = timeOf(few);
      const large = timeOf(many);
      expect(large).toBeLessThan(Math.max(small, 50) * 40);
    },
  );
});

function timeOf(markdown: string): number {
  const before = performance.now();
  expect(blocksOf(markdown).length).toBeGreaterThan(0);
  return performance.now() - before;
}
