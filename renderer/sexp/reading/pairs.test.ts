import { describe, expect, it } from 'vitest';
import { newLineColumn } from '../indentation/reindent.ts';
import {
  type Caret,
  commentBreaksLine,
  endsSomething,
  type Guard,
  isEmptyPair,
  PAIRED,
  replacedPartners,
  surroundingCloser,
  typedAt,
} from './pairs.ts';
import { random, randomChunks, randomForm } from './random-forms.fixture.ts';
import { outOfList } from '../structure/guard.ts';

/** A simulated editor of plain text with one caret. It handles keys the way the page does. */
class Typist {
  text = '';
  caret = 0;
  readonly #guard: Guard;
  /** Offsets of automatically inserted closing characters. */
  #partners: readonly number[] = [];

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

  /** Selects a part of the text and types `text` over it. */
  typeOver(start: number, end: number, text: string): this {
    const [first = '', second = ''] = text;
    const selected = this.text.slice(start, end);
    this.caret = start;
    this.#partners = this.#partners
      .filter((at) => at < start || at >= end)
      .map((at) => (at < start ? at : at - (end - start)));
    this.text = this.text.slice(0, start) + this.text.slice(end);
    const closer = surroundingCloser(first, selected);
    if (closer === null) return this.type(text);
    // The first character surrounds the selection, and the second one replaces the selected text.
    this.#insert(first + closer);
    this.caret += 1;
    this.#partners = [...this.#partners, this.caret];
    return second === '' ? this : this.type(text.slice(1));
  }

  paste(text: string): this {
    this.#insert(text);
    this.caret += text.length;
    this.#dropPartners();
    return this;
  }

  #dropPartners(): void {
    const gone = replacedPartners(this.text, this.caret, (offset) => this.#partners.includes(offset));
    if (!gone) return;
    const { start, end } = gone;
    this.text = this.text.slice(0, start) + this.text.slice(end);
    this.#partners = this.#partners
      .filter((at) => at < start || at >= end)
      .map((at) => (at < start ? at : at - (end - start)));
  }

  /** Runs `action`, and then restores the state from before it. */
  undone(action: () => void): this {
    const { text, caret } = this;
    const partners = this.#partners;
    action();
    this.text = text;
    this.caret = caret;
    this.#partners = partners;
    return this;
  }

  #key(char: string): void {
    const own = this.#partners.includes(this.caret);
    const typed = PAIRED.has(char) ? typedAt(char, { text: this.text, caret: this.caret, own }, this.#guard) : 'plain';
    if (typed === 'refuse') return;
    if (typed === 'out') {
      this.caret = outOfList(this.text, this.caret)!;
      return;
    }
    if (typed === 'pair') {
      this.#insert(char === '(' ? '()' : '""');
      this.#partners = [...this.#partners, this.caret + 1];
    } else if (typed === 'escape') {
      this.#insert(`\\${char}`);
      this.caret += 1;
    } else if (typed === 'plain') this.#insert(char);
    this.caret += 1;
    if (typed === 'plain' && endsSomething(this.text, this.caret)) this.#dropPartners();
  }

  #enter(): void {
    const before = this.text.slice(0, this.caret);
    this.#insert(`\n${' '.repeat(newLineColumn(before.split('\n'), ''))}`);
    this.caret = this.caret + this.text.slice(this.caret).search(/[^\s]|$/);
  }

  #insert(text: string): void {
    this.text = this.text.slice(0, this.caret) + text + this.text.slice(this.caret);
    this.#partners = this.#partners.map((at) => (at >= this.caret ? at + text.length : at));
  }
}

/** Returns the text without `|`, with the offset of `|` as the caret. */
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

  it.each<Guard>(['off', 'balanced', 'strict'])(
    'What is typed and pasted in random pieces, some taken back and typed anew, is what the text holds, with the guard: %s',
    (guard) => {
      const below = random(20_261_122);
      for (let run = 0; run < 300; run += 1) {
        const source = Array.from({ length: 1 + below(3) }, () => randomForm(below, 4)).join('\n');
        const editor = new Typist(guard);
        for (const { text, by } of randomChunks(below, source)) {
          if (below(5) === 0) editor.undone(() => editor.type(text));
          if (by === 'paste') editor.paste(text);
          else editor.type(text);
        }
        expect({ source, text: squeezed(editor.text) }).toEqual({ source, text: squeezed(source) });
      }
    },
  );

  it.each<Guard>(['off', 'balanced', 'strict'])(
    'Forms that are typed in front of others and between them are what the text holds, with the guard: %s',
    (guard) => {
      const below = random(20_261_123);
      for (let run = 0; run < 100; run += 1) {
        const forms = Array.from({ length: 4 }, () => randomForm(below, 3));
        const editor = new Typist(guard);
        const order = [0, 1, 2, 3].toSorted(() => below(3) - 1);
        const places = new Map<number, number>();
        for (const index of order) {
          const before = [...places.keys()]
            .filter((other) => other < index)
            .toSorted((one, other) => one - other)
            .at(-1);
          // Inserts each form on a separate line, after the last form that precedes it.
          const from = before === undefined ? 0 : places.get(before)!;
          const end = before === undefined ? 0 : editor.text.indexOf('\f', from) + 1;
          const start = editor.text.length;
          editor.caret = end;
          editor.paste('\n\f\n');
          editor.caret = end + 1;
          editor.type(forms[index]!);
          const grown = editor.text.length - start;
          for (const [other, at] of places) if (at >= end) places.set(other, at + grown);
          places.set(index, end);
        }
        const found = squeezed(editor.text.replaceAll('\f', ' '));
        expect({ forms, order, found }).toEqual({ forms, order, found: squeezed(forms.join('\n')) });
      }
    },
  );

  it.each<Guard>(['off', 'balanced', 'strict'])(
    'A form that is typed over selected forms, or over all of a text, stands in their place, with the guard: %s',
    (guard) => {
      const below = random(20_261_126);
      for (let run = 0; run < 300; run += 1) {
        const forms = Array.from({ length: 1 + below(4) }, () => randomForm(below, 3));
        const [from, to] = [below(forms.length), below(forms.length)].toSorted((one, other) => one - other) as [
          number,
          number,
        ];
        // An incomplete form before the selection must not change the result.
        const begun = below(3) === 0 ? '(begun ' : '';
        const typed = below(2) === 0 ? `(${randomForm(below, 2)})` : '"a string"';
        const start = begun.length + forms.slice(0, from).join('\n').length + (from > 0 ? 1 : 0);
        const end = start + forms.slice(from, to + 1).join('\n').length;
        const editor = new Typist(guard).paste(begun + forms.join('\n')).typeOver(start, end, typed);
        const expected = begun + [...forms.slice(0, from), typed, ...forms.slice(to + 1)].join('\n');
        expect({ forms, typed, text: squeezed(editor.text) }).toEqual({ forms, typed, text: squeezed(expected) });
      }
    },
  );

  it.each([
    ['(', 'a b', ')'],
    ['(', '"', ')'],
    ['"', 'a b', '"'],
    ['"', '"', null],
    ['(', ' \n', null],
    [')', 'a', null],
    ['[', 'a', null],
    ['|', 'a', null],
  ])('Typed over what is selected, %s before %j has this behind it: %j', (char, selected, expected) => {
    expect(surroundingCloser(char, selected)).toBe(expected);
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

describe('comments', () => {
  it.each<[string, boolean, boolean]>([
    ['(foo a |b)', false, true],
    ['(foo a |(bar\nb))', false, true],
    ['(foo a |b\nc)', false, false],
    ['(foo a |(bar))', true, false],
    ['(foo "a |b")', false, false],
    ['(foo #\\|)', false, false],
    ['(foo |(bar)', false, false],
  ])('A semicolon in %s, own closer: %s, breaks the line where it is guarded strictly: %s', (drawn, own, breaks) => {
    expect(commentBreaksLine(at(drawn, own), 'strict')).toBe(breaks);
    expect(commentBreaksLine(at(drawn, own), 'balanced')).toBe(false);
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
