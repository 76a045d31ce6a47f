import { describe, expect, it } from 'vitest';
import { indentAfter } from './indent.ts';
import { isEmptyPair, PAIRED, typedAt } from './pairs.ts';

/** An editor of one caret: what the page does with a key, on a plain text. */
class Typist {
  text = '';
  caret = 0;
  /** Offsets of partners that were put in. */
  readonly #partners = new Set<number>();

  type(text: string): this {
    for (const char of text) {
      if (char === '\n') this.#enter();
      else this.#key(char);
    }
    return this;
  }

  paste(text: string): this {
    this.#insert(text);
    this.caret += text.length;
    return this;
  }

  #key(char: string): void {
    const typed = PAIRED.has(char) ? typedAt(char, this.text, this.caret, this.#partners.has(this.caret)) : 'plain';
    if (typed === 'pair') {
      this.#insert(char === '(' ? '()' : '""');
      this.#partners.add(this.caret + 1);
    } else if (typed === 'plain') this.#insert(char);
    this.caret += 1;
  }

  #enter(): void {
    const before = this.text.slice(0, this.caret);
    this.paste(`\n${' '.repeat(indentAfter(before))}`);
  }

  #insert(text: string): void {
    this.text = this.text.slice(0, this.caret) + text + this.text.slice(this.caret);
    const moved = [...this.#partners].map((at) => (at >= this.caret ? at + text.length : at));
    this.#partners.clear();
    for (const at of moved) this.#partners.add(at);
  }
}

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

describe('What is typed is what the text holds', () => {
  it.each([
    '(defun foo (a b)\n(when a\n(print b)\n(print a)))',
    '(flet ((f (x)\n(+ x 1)))\n(f 1))',
    '(defmethod area ((s square))\n(* 2 2))',
    '(list "a ) b" #\\) #\\( |a(b| :c) ; a comment :)\n(foo)',
    '(format t "say \\"hi\\" ~a" x)',
    '#+(or sbcl ccl)\n(list #(1 2) #p"/tmp/")',
    '#| a ( block #| nested ( |# " |#\n(foo)',
    '"a doc\nstring ( with an opener"\n(next)',
  ])('%j', (typed) => {
    expect(squeezed(new Typist().type(typed).text)).toBe(squeezed(typed));
  });

  it('for random forms, typed with line breaks in random places', () => {
    const random = randomFrom(20_261_122);
    for (let run = 0; run < 2000; run += 1) {
      const typed = Array.from({ length: 1 + random(3) }, () => randomForm(random, 4)).join('\n');
      expect(squeezed(new Typist().type(typed).text)).toBe(squeezed(typed));
    }
  });

  it('when the middle of a form is pasted, as long as the text that was pasted and typed is balanced', () => {
    const editor = new Typist().type('(foo ').paste('(bar (baz').type(') qux))');
    expect(editor.text).toBe('(foo (bar (baz) qux))');
  });

  it('in a form that another form follows', () => {
    const editor = new Typist().paste('\n(defun after () 1)');
    editor.caret = 0;
    expect(editor.type('(defun before (x)\n(list x))').text).toBe('(defun before (x)\n  (list x))\n(defun after () 1)');
  });
});

describe('A closer', () => {
  it.each<[string, string, boolean, string]>([
    ['(foo |)', 'passes over the one that closes a balanced form', false, 'over'],
    ['(foo (bar |)', 'is added where one is missing', false, 'plain'],
    ['(foo (bar |)', 'passes over the one that was put in, even where one is missing', true, 'over'],
    ['(foo #\\|)', 'is added as a character', true, 'plain'],
    ['(foo "a|)', 'is added in a string', true, 'plain'],
    ['(foo ; a|)', 'is added in a comment', true, 'plain'],
  ])('in %s %s', (drawn, _, own, expected) => {
    expect(typedAt(')', drawn.replace('|', ''), drawn.indexOf('|'), own)).toBe(expected);
  });
});

describe('An opener', () => {
  it.each([
    ['(foo |)', 'pair'],
    ['|', 'pair'],
    ['|foo', 'plain'],
    ['(foo |))', 'plain'],
    ['#\\|', 'plain'],
    ["'|", 'pair'],
  ])('in %s: %s', (drawn, expected) => {
    expect(typedAt('(', drawn.replace('|', ''), drawn.indexOf('|'), false)).toBe(expected);
  });
});

describe('A quote', () => {
  it.each([
    ['(foo |)', 'pair'],
    ['(foo "bar|")', 'over'],
    ['(foo "bar\\|")', 'plain'],
    ['(foo "bar\\\\|")', 'over'],
    ['(foo bar|)', 'plain'],
    ['#p|', 'pair'],
  ])('in %s: %s', (drawn, expected) => {
    expect(typedAt('"', drawn.replace('|', ''), drawn.indexOf('|'), false)).toBe(expected);
  });
});

it.each([
  ['(foo (|))', true],
  ['(foo "|")', true],
  ['(foo "a"|"b")', false],
  ['(foo #\\(|))', false],
  ['"(|)"', false],
])('An empty pair goes as a whole when its first half is deleted: %s %s', (drawn, expected) => {
  expect(isEmptyPair(drawn.replace('|', ''), drawn.indexOf('|'))).toBe(expected);
});

/** Numbers below a bound, the same in each run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const ATOMS = [
  'a',
  'foo',
  ':key',
  '12',
  '#\\(',
  '#\\)',
  '#\\"',
  '"s"',
  '"a ( b"',
  '"\\""',
  "'x",
  '`(a ,b ,@c)',
  "#'f",
  '|x )|',
  '#(1)',
  '""',
  '()',
];

function randomForm(random: (below: number) => number, depth: number): string {
  if (depth === 0 || random(3) === 0) return ATOMS[random(ATOMS.length)]!;
  const parts = Array.from({ length: 1 + random(4) }, () => randomForm(random, depth - 1));
  return `(${parts.join(random(3) === 0 ? '\n' : ' ')})`;
}
