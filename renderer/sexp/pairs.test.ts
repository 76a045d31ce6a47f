import { describe, expect, it } from 'vitest';
import { newLineColumn } from './indentation/reindent.ts';
import { type Caret, type Guard, isEmptyPair, PAIRED, typedAt } from './pairs.ts';
import { random, randomForm } from './random-forms.fixture.ts';

/** An editor of one caret that does with a key what the page does, on a plain text. */
class Typist {
  text = '';
  caret = 0;
  readonly #guard: Guard;
  /** Offsets of partners that were put in. */
  readonly #partners = new Set<number>();

  constructor(guard: Guard = 'off') {
    this.#guard = guard;
  }

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
    const typed = PAIRED.has(char)
      ? typedAt(char, { text: this.text, caret: this.caret, own: this.#partners.has(this.caret) }, this.#guard)
      : 'plain';
    if (typed === 'pair') {
      this.#insert(char === '(' ? '()' : '""');
      this.#partners.add(this.caret + 1);
    } else if (typed === 'plain') this.#insert(char);
    this.caret += 1;
  }

  #enter(): void {
    const before = this.text.slice(0, this.caret);
    this.paste(`\n${' '.repeat(newLineColumn(before.split('\n'), ''))}`);
  }

  #insert(text: string): void {
    this.text = this.text.slice(0, this.caret) + text + this.text.slice(this.caret);
    const moved = [...this.#partners].map((at) => (at >= this.caret ? at + text.length : at));
    this.#partners.clear();
    for (const at of moved) this.#partners.add(at);
  }
}

/** A caret drawn as `|`. */
function at(drawn: string, own = false): Caret {
  return { text: drawn.replace('|', ''), caret: drawn.indexOf('|'), own };
}

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

describe('typing of pairs', () => {
  it.each([
    '(defun foo (a b)\n(when a\n(print b)\n(print a)))',
    '(flet ((f (x)\n(+ x 1)))\n(f 1))',
    '(defmethod area ((s square))\n(* 2 2))',
    '(list "a ) b" #\\) #\\( |a(b| :c) ; a comment :)\n(foo)',
    '(format t "say \\"hi\\" ~a" x)',
    '#+(or sbcl ccl)\n(list #(1 2) #p"/tmp/")',
    '#| a ( block #| nested ( |# " |#\n(foo)',
    '"a doc\nstring ( with an opener"\n(next)',
  ])('What is typed is what the text holds: %j', (typed) => {
    expect(squeezed(new Typist().type(typed).text)).toBe(squeezed(typed));
  });

  it('What is typed is what the text holds for random forms, typed with line breaks in random places', () => {
    const below = random(20_261_122);
    for (let run = 0; run < 2000; run += 1) {
      const typed = Array.from({ length: 1 + below(3) }, () => randomForm(below, 4)).join('\n');
      expect(squeezed(new Typist().type(typed).text)).toBe(squeezed(typed));
    }
  });

  it('What is typed is what the text holds when the middle of a form is pasted, as long as pasted and typed text together are balanced', () => {
    const editor = new Typist().type('(foo ').paste('(bar (baz').type(') qux))');
    expect(editor.text).toBe('(foo (bar (baz) qux))');
  });

  it('What is typed is what the text holds in a form that another form follows', () => {
    const editor = new Typist().paste('\n(defun after () 1)');
    editor.caret = 0;
    expect(editor.type('(defun before (x)\n(list x))').text).toBe('(defun before (x)\n  (list x))\n(defun after () 1)');
  });
});

describe('closers', () => {
  it.each<[string, string, boolean, string]>([
    ['(foo |)', 'passes over the one that closes a balanced form', false, 'over'],
    ['(foo (bar |)', 'is added where one is missing', false, 'plain'],
    ['(foo (bar |)', 'passes over the one that was put in, even where one is missing', true, 'over'],
    ['(foo #\\|)', 'is added as a character', true, 'plain'],
    ['(foo "a|)', 'is added in a string', true, 'plain'],
    ['(foo ; a|)', 'is added in a comment', true, 'plain'],
  ])('A closer in %s %s', (drawn, _, own, expected) => {
    expect(typedAt(')', at(drawn, own))).toBe(expected);
  });
});

describe('openers', () => {
  it.each([
    ['(foo |)', 'pair'],
    ['|', 'pair'],
    ['|foo', 'plain'],
    ['(foo |))', 'plain'],
    ['#\\|', 'plain'],
    ["'|", 'pair'],
  ])('An opener in %s is typed as: %s', (drawn, expected) => {
    expect(typedAt('(', at(drawn))).toBe(expected);
  });
});

describe('quotes', () => {
  it.each([
    ['(foo |)', 'pair'],
    ['(foo "bar|")', 'over'],
    ['(foo "bar\\|")', 'plain'],
    ['(foo "bar\\\\|")', 'over'],
    ['(foo bar|)', 'plain'],
    ['#p|', 'pair'],
  ])('A quote in %s is typed as: %s', (drawn, expected) => {
    expect(typedAt('"', at(drawn))).toBe(expected);
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
