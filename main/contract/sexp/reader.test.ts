import { describe, expect, it } from 'vitest';
import { type Form, isComplete, readText, scanOnly, type Reading } from './reader.ts';

const slices = (text: string): string[] => readText(text).forms.map((form) => text.slice(form.start, form.end));

describe('top-level forms', () => {
  it.each<[string, string, string[]]>([
    ['lists and atoms', '(a b) c 12', ['(a b)', 'c', '12']],
    ['strings with escapes and parens', '"a \\" ) (" (b)', ['"a \\" ) ("', '(b)']],
    ['line comments', '; (not\n(a) ; )\n(b)', ['(a)', '(b)']],
    ['nested block comments', '#| a #| ( |# " |# (b)', ['(b)']],
    ['symbols in bars', '(a |b ( ; " c| d) |x|', ['(a |b ( ; " c| d)', '|x|']],
    ['escaped characters in symbols', '(a\\(b) c', ['(a\\(b)', 'c']],
    ['characters', '(list #\\( #\\) #\\; #\\" #\\Space) x', ['(list #\\( #\\) #\\; #\\" #\\Space)', 'x']],
    ['quotes and functions', "'(a) `(b ,c ,@d) #'car #.(x)", ["'(a)", '`(b ,c ,@d)', "#'car", '#.(x)']],
    [
      'vectors, pathnames and the like',
      '#(1 2) #p"x" #c(1 2) #2A((1)) #:g #*101 #xFF #1=(a #1#)',
      ['#(1 2)', '#p"x"', '#c(1 2)', '#2A((1))', '#:g', '#*101', '#xFF', '#1=(a #1#)'],
    ],
    ['features apart from their form', '#+sbcl (a) #-(or b c) d', ['(a)', 'd']],
    ['characters past the BMP', '(a "𝛌") #\\𝛌 b', ['(a "𝛌")', '#\\𝛌', 'b']],
    ['a stray parenthesis', ') (a)', ['(a)']],
    ['an unclosed form before one in column 0', '(defun a (\n  b\n(defun c ())', ['(defun a (\n  b\n', '(defun c ())']],
    ['nothing', '  ; only a comment', []],
  ])('The reader finds top-level forms in %s [D2]', (_name, text, expected) => {
    expect(slices(text)).toEqual(expected);
  });

  it('The reader finds ten thousand open lists without running out of stack [D2]', () => {
    expect(scanOnly('('.repeat(10_000)).depth).toBe(10_000);
  });

  it('The reader cuts ten thousand open lists off before a form in column 0 without running out of stack [D2]', () => {
    expect(slices(`${'('.repeat(10_000)}\n(a)`)).toEqual([`${'('.repeat(10_000)}\n`, '(a)']);
  });
});

describe('Enter in the REPL', () => {
  it.each<[string, boolean]>([
    ['(+ 1 2)', true],
    ['(+ 1', false],
    ['', false],
    ['; nothing', false],
    ['"open', false],
    ['"a\\"', false],
    ['|open', false],
    ['#| open', false],
    ['#| a |# b', true],
    ["'", false],
    ["#'", false],
    ['#\\', false],
    ['#\\(', true],
    ['#+sbcl', false],
    ['#+sbcl a', true],
    ['#+(and a b)', false],
    ['(a #+b)', true],
    ['foo', true],
    ['(a))', true],
    ['(a "x)" ; y)\n)', true],
    ['(a\n(b)', false],
    [')', true],
    [') (a', true],
  ])('The text %j is complete, so that Enter evaluates it: %j [D5]', (text, expected) => {
    expect(isComplete(text)).toBe(expected);
  });
});

/** Writes forms with their structure and texts. For example, `'[a [b]` is a quoted list that is not closed before the end of the text. */
function drawn(text: string, forms: readonly Form[]): string {
  return forms
    .map(({ kind, start, body, end, children, closed }) => {
      const prefix = text.slice(start, body);
      if (kind !== 'list')
        return `${prefix}${{ atom: '', string: 's' }[kind]}‹${text.slice(body, end)}›${closed ? '' : '…'}`;
      return `${prefix}[${drawn(text, children)}${closed ? ']' : '…'}`;
    })
    .join(' ');
}

const read = (text: string): string => drawn(text, readText(text).forms);

describe('forms in their lists', () => {
  it.each<[string, string, string]>([
    ['lists in lists', '(a (b "c") d)', '[‹a› [‹b› s‹"c"›] ‹d›]'],
    ['all that is blank', 'a\tb\rc\fd e\nf', '‹a› ‹b› ‹c› ‹d› ‹e› ‹f›'],
    ['blanks alone', '\t\r\f \n', ''],
    ['what ends an atom', `a(b)c"d"e;f\ng'h\`i,j`, `‹a› [‹b›] ‹c› s‹"d"› ‹e› ‹g› '‹h› \`‹i› ,‹j›`],
    ['what follows the end of a list', '(a)b', '[‹a›] ‹b›'],
    ['several prefixes', `''a '\`b \`,,c ,#'d #'#'e`, `''‹a› '\`‹b› \`,,‹c› ,#'‹d› #'#'‹e›`],
    ['unquotes that splice', ',@(a) ,.(b) ,(c)', ',@[‹a›] ,.[‹b›] ,[‹c›]'],
    ['a prefix that a parenthesis ends', "(a ') b", '[‹a›] ‹b›'],
    [
      'prefixes before strings and lists',
      `#p"a" #p'b #p\`c #c(1 2) #s (d) #P"e"`,
      '#ps‹"a"› #p\'‹b› #p`‹c› #c[‹1› ‹2›] #s [‹d›] #Ps‹"e"›',
    ],
    ['dispatching characters with a form', "#.(a) #1=b #(c) #2A((d)) #'e", "#.[‹a›] #1=‹b› #[‹c›] #2A[[‹d›]] #'‹e›"],
    ['dispatching characters with numbers', '#0A(a) #9A(b) #10=c', '#0A[‹a›] #9A[‹b›] #10=‹c›'],
    ['dispatching characters of an atom', '#:a #xFF #1# # #pb', '‹#:a› ‹#xFF› ‹#1#› ‹#› ‹#pb›'],
    ['a dispatching character before a parenthesis', '(#:) b', '[‹#:›] ‹b›'],
    ['a number sign before a parenthesis', '(#) b', '[‹#›] ‹b›'],
    ['characters', "#\\( #\\a'b #\\𝛌 '#\\c", "‹#\\(› ‹#\\a› '‹b› ‹#\\𝛌› '‹#\\c›"],
    ['a bar in a block comment', '#| a | b |# c', '‹c›'],
    ['a number sign in a block comment', '#| # a |# b', '‹b›'],
    ['a block comment that ends with the text', 'a #| b |#', '‹a›'],
    ['block comments in each other', '#| a #| b |# c |# d', '‹d›'],
    ['a comment that ends with the text', 'a ; b', '‹a›'],
    ['features in a list', '(a #+b c #-(or d e) f)', '[‹a› ‹c› ‹f›]'],
    ['two features of one form', '(#+a #+b c d)', '[‹c› ‹d›]'],
    ['a quote before a feature', "'#+a b", '‹b›'],
    ['a feature that is an empty list', '#+() b c', '‹b› ‹c›'],
    ['unquotes where the text begins', ',,a', ',,‹a›'],
    ['functions where the text begins', "#'#'a", "#'#'‹a›"],
    ['a feature at the end of a list', '(a #+) b', '[‹a›] ‹b›'],
    ['a list with a string that is not closed', '(a "b', '[‹a› s‹"b›……'],
    ['a bar that is not closed', '(a |b c', '[‹a› ‹|b c›……'],
    ['a character that is not there', 'a #\\', '‹a› ‹#\\›…'],
    ['a block comment that is not closed', 'a #| b', '‹a›'],
    ['a list before one in column 0', '(a b\n(c d', '[‹a› ‹b›… [‹c› ‹d›…'],
    ['lists in each other before one in column 0', '(a (b (c\n(d)', '[‹a› [‹b› [‹c›……… [‹d›]'],
    ['three lists in column 0', '(a\n(b\n(c)', '[‹a›… [‹b›… [‹c›]'],
    ['a list behind a closed one with one in column 0', '(a\n(b))\n(c', '[‹a› [‹b›]] [‹c›…'],
    ['a list in another column', '(a\n (b', '[‹a› [‹b›……'],
    ['features before one in column 0', '(x)\n#+(or\n(a)', '[‹x›]'],
  ])('The reader puts forms into their lists: %s [D2]', (_name, text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each<[string, [end: number, end: number][]]>([
    [
      '(a (b\n\n(c)',
      [
        [0, 7],
        [7, 10],
      ],
    ],
    ['(a (b) c', [[0, 8]]],
    ['|a b', [[0, 4]]],
  ])('What is not closed in %j ends before the next one in column 0 or with the text: %j [D2]', (text, spans) => {
    expect(readText(text).forms.map(({ start, end }) => [start, end])).toEqual(spans);
  });

  it('A list within one that is cut off ends with it [D2]', () => {
    const ends = (text: string): number[] => readText(text).forms[0]!.children.map(({ end }) => end);
    expect([ends('(a (b\n\n(c)'), ends('((b\n(c)'), ends('(a b (d\n(c)')]).toEqual([[2, 7], [4], [2, 4, 8]]);
  });

  it('Each form knows the list that it is in [D2]', () => {
    const [outer] = readText("(a (b 'c))").forms;
    const inner = outer!.children[1]!;
    expect([outer!.parent, inner.parent === outer, inner.children.every(({ parent }) => parent === inner)]).toEqual([
      null,
      true,
      true,
    ]);
  });

  it('The reader stops to begin anew after two hundred lists that are not closed [D2]', () => {
    expect(readText('(a\n'.repeat(202)).forms.length).toBe(201);
  });

  it('A text that is read as one thing goes on in column 0 [D5]', () => {
    const text = '(a\n(b) c';
    expect(drawn(text, scanOnly(text).forms)).toBe('[‹a› [‹b›] ‹c›…');
  });
});

describe('what a text lacks', () => {
  it.each<[string, Omit<Reading, 'forms'>]>([
    ['(a) "b" |c| #\\d', { missing: null, depth: 0, stray: null }],
    ['(a) (b (c', { missing: 'list', depth: 2, stray: null }],
    ['(a "b', { missing: 'string', depth: 1, stray: null }],
    ['"', { missing: 'string', depth: 0, stray: null }],
    ['"a"', { missing: null, depth: 0, stray: null }],
    ['|a', { missing: 'bar', depth: 0, stray: null }],
    ['a #| b', { missing: 'comment', depth: 0, stray: null }],
    ['a #| b |# c', { missing: null, depth: 0, stray: null }],
    ['a #\\', { missing: 'prefix', depth: 0, stray: null }],
    ["'", { missing: 'prefix', depth: 0, stray: null }],
    ["a '", { missing: 'prefix', depth: 0, stray: null }],
    ["(a '", { missing: 'list', depth: 1, stray: null }],
    ['a #+', { missing: 'prefix', depth: 0, stray: null }],
    ['a #+b', { missing: 'prefix', depth: 0, stray: null }],
    ['a #+(and b c)', { missing: 'prefix', depth: 0, stray: null }],
    ['a #+(and b c) d', { missing: null, depth: 0, stray: null }],
    ['a #+b "c"', { missing: null, depth: 0, stray: null }],
    ['a #+b (c)', { missing: null, depth: 0, stray: null }],
    ['(a #+b)', { missing: null, depth: 0, stray: null }],
    ['(a #+)', { missing: null, depth: 0, stray: null }],
    [') (a)', { missing: null, depth: 0, stray: 0 }],
    ['(a)) )', { missing: null, depth: 0, stray: 3 }],
    ['((a\n(b))', { missing: null, depth: 0, stray: 7 }],
    [')((a\n(b))', { missing: null, depth: 0, stray: 0 }],
  ])('The reader tells what %j lacks at its end, how deep it is and what closes nothing: %o [D5]', (text, expected) => {
    expect(readText(text)).toMatchObject(expected);
  });
});
