import { describe, expect, it } from 'vitest';
import { balanceOf } from '../reading/pairs.ts';
import { random, randomForm } from '../reading/random-forms.fixture.ts';
import * as commands from './commands.ts';
import { deletingAt, keepsBalance, outOfList } from './guard.ts';
import * as moves from './moves.ts';

type Name = Exclude<keyof typeof commands, 'changeBy'>;

const NAMES = Object.keys(commands).filter((name): name is Name => name !== 'changeBy');

/** Reads a text with a caret drawn as `¦`, or a selection between two of these marks. */
function read(drawn: string): { text: string; start: number; end: number } {
  const [before = '', selected, after] = drawn.split('¦');
  const text = drawn.replaceAll('¦', '');
  return after === undefined
    ? { text, start: before.length, end: before.length }
    : { text, start: before.length, end: before.length + selected!.length };
}

/** Runs a command on the drawn text, and returns the new text with the caret drawn as `¦`; null if the command did nothing. */
function done(name: Name, drawn: string): string | null {
  const { text, start, end } = read(drawn);
  const change = commands.changeBy(commands[name], text, { start, end });
  if (!change) return null;
  const after = text.slice(0, change.start) + change.text + text.slice(change.end);
  const caret = change.start + change.caret;
  return `${after.slice(0, caret)}¦${after.slice(caret)}`;
}

describe('structural commands', () => {
  it.each<[Name, string, string | null]>([
    ['slurpForward', '(a ¦b) c d', '(a ¦b c) d'],
    ['slurpForward', '(a (b¦)) c', '(a (b¦) c)'],
    ['slurpForward', '(¦) (c)', '(¦(c))'],
    ['slurpForward', '(a ¦b)c', '(a ¦b c)'],
    ['slurpForward', "(a¦) 'c", "(a¦ 'c)"],
    ['slurpForward', '(a¦) #+sbcl c d', '(a¦ #+sbcl c) d'],
    ['slurpForward', '(f "a¦b" "c" d)', '(f "a¦b \\"c\\"" d)'],
    ['slurpForward', '(a¦) ; (no\n c', '(a¦ ; (no\n c)'],
    ['slurpForward', '(f #\\(¦ a) b', '(f #\\(¦ a b)'],
    ['slurpForward', '(a¦)', null],
    ['slurpForward', 'a ¦b', null],

    ['barfForward', '(a ¦b c)', '(a ¦b) c'],
    ['barfForward', '(a b ¦c)', '(a b¦) c'],
    ['barfForward', '(¦a)', '(¦) a'],
    ['barfForward', '(a\n ¦b)', '(a¦)\n b'],
    ['barfForward', '(¦)', null],

    ['slurpBackward', 'a (b¦ c)', '(a b¦ c)'],
    ['slurpBackward', "a '(b¦)", "'(a b¦)"],
    ['slurpBackward', 'a (¦)', '(a¦)'],
    ['slurpBackward', '(a (b) ((c¦)))', '(a ((b) (c¦)))'],
    ['slurpBackward', '(a¦)', null],

    ['barfBackward', '(a b¦ c)', 'a (b¦ c)'],
    ['barfBackward', "'(a b¦)", "a '(b¦)"],
    ['barfBackward', '(a¦)', 'a (¦)'],
    ['barfBackward', '(¦)', null],

    ['raise', '(when x ¦(print y) z)', '¦(print y)'],
    ['raise', '(when x (pri¦nt y))', '(when x pri¦nt)'],
    ['raise', '(when x ¦a b¦ c)', 'a b¦'],
    ['raise', "(f '(a ¦'b))", "(f ¦'b)"],
    ['raise', '¦a', null],
    ['raise', '(a ¦ )', null],

    ['splice', '(a (b ¦c) d)', '(a b ¦c d)'],
    ['splice', "(a '(b¦) d)", '(a b¦ d)'],
    ['splice', '(f "a ¦b")', '(f a ¦b)'],
    ['splice', '(f "a (¦b")', null],
    ['splice', '(f #\\(¦ a)', 'f #\\(¦ a'],
    ['splice', 'a ¦b', null],

    ['spliceKillingBackward', '(a (let ((x 1)) ¦b c) d)', '(a ¦b c d)'],
    ['spliceKillingBackward', '(a (b¦) d)', '(a ¦ d)'],
    ['spliceKillingForward', '(a (b c¦ d) e)', '(a b c¦ e)'],
    ['spliceKillingForward', '(a (¦b) e)', '(a ¦ e)'],

    ['wrapWithParentheses', '(f ¦x y)', '(f (¦x) y)'],
    ['wrapWithParentheses', "(f ¦'(x) y)", "(f (¦'(x)) y)"],
    ['wrapWithParentheses', '(f ¦x y¦ z)', '(f (¦x y) z)'],
    ['wrapWithParentheses', '(f ¦ )', '(f (¦) )'],
    ['wrapWithParentheses', '"a ¦b"', null],
    ['wrapWithQuotes', '(f ¦x y)', '(f "¦x" y)'],
    ['wrapWithQuotes', '(f ¦(g "h\\n")¦ y)', '(f "¦(g \\"h\\\\n\\")" y)'],

    ['transpose', '(f a¦ b)', '(f b a¦)'],
    ['transpose', '(f a (g x)¦)', '(f (g x) a¦)'],
    ['transpose', "(f 'a\n ¦#'b c)", "(f #'b\n 'a¦ c)"],
    ['transpose', '(¦f a)', null],

    ['dragForward', '(f ¦a b c)', '(f b ¦a c)'],
    ['dragForward', '(f (a ¦x) b)', null],
    ['dragForward', '(f (a x)¦ b)', '(f b (a x)¦)'],
    ['dragForward', '#+sbcl ¦(a) (b)', '(b) #+sbcl ¦(a)'],
    ['dragBackward', '(f a ¦b c)', '(f ¦b a c)'],
    ['dragBackward', '(defun a ())\n\n(def¦un b ())', null],
    ['dragBackward', '(defun a ())\n\n¦(defun b ())', '¦(defun b ())\n\n(defun a ())'],

    ['killForm', '(f ¦ a b)', '(f ¦ b)'],
    ['killForm', "(f a¦ '(b) c)", '(f a¦ c)'],
    ['killForm', '(f a¦)', null],
    ['killToEndOfList', '(f a¦ b\n c) d', '(f a¦) d'],
    ['killToEndOfList', '(f "ab¦ c)" d)', '(f "ab¦" d)'],
    ['killToEndOfList', '(f ; a ¦b\n c)', '(f ; a ¦\n c)'],
    ['killToEndOfList', '(f¦)', null],
    ['killToStartOfList', '(f a ¦b)', '(¦b)'],

    ['convolute', '(let (x) (when y ¦(f) (g)))', '(when y ¦(let (x) (f) (g)))'],
    ['convolute', '(a (b ¦c) d)', '(b ¦(a c d))'],
    ['convolute', '(a ¦b)', null],

    ['split', '(a b¦ c)', '(a b)¦ (c)'],
    ['split', '(a b ¦c)', '(a b)¦ (c)'],
    ['split', '(a ¦)', '(a)¦ ()'],
    ['split', '(f "a¦b")', '(f "a"¦ "b")'],
    ['split', '(f "a\\¦"b")', null],
    ['split', 'a¦b', null],
    ['join', '(a)¦ (b c)', '(a¦ b c)'],
    ['join', '(f "a" ¦"b")', '(f "a¦b")'],
    ['join', '()¦ (b)', '(¦b)'],
    ['join', 'a¦ (b)', null],
  ])('The command %s turns %j into %j', (name, drawn, expected) => {
    expect(done(name, drawn)).toBe(expected);
  });

  it('Every command leaves a balanced text balanced, wherever the caret is', () => {
    const below = random(20_261_123);
    for (let run = 0; run < 400; run += 1) {
      const text = Array.from({ length: 1 + below(3) }, () => randomForm(below, 4)).join('\n');
      const caret = below(text.length + 1);
      for (const name of NAMES) {
        const change = commands.changeBy(commands[name], text, { start: caret, end: caret });
        const after = change ? text.slice(0, change.start) + change.text + text.slice(change.end) : text;
        const drawn = `${text.slice(0, caret)}¦${text.slice(caret)}`;
        const isInside = !change || change.start + change.caret <= after.length;
        expect(balanceOf(after).isBalanced && isInside ? null : { name, drawn, after }).toBeNull();
      }
    }
  });
});

describe('moving by forms', () => {
  it.each<[keyof Omit<typeof moves, 'growingSpans'>, string, string | null]>([
    ['forward', '(a ¦(b) c)', '(a (b)¦ c)'],
    ['forward', '(a ¦)', '(a )¦'],
    ['forward', '(ab¦c d)', '(abc¦ d)'],
    ['forward', 'a¦', null],
    ['backward', "(a '(b)¦ c)", "(a ¦'(b) c)"],
    ['backward', '(¦a)', '¦(a)'],
    ['up', '(a (b ¦c))', '(a ¦(b c))'],
    ['up', '(a "b ¦c")', '(a ¦"b c")'],
    ['up', 'a¦', null],
    ['upForward', '(a (b ¦c) d)', '(a (b c)¦ d)'],
    ['down', '(a ¦b (c))', '(a b (¦c))'],
    ['down', '(a (c) ¦b)', null],
    ['downBackward', '(a (c) ¦b)', '(a (c¦) b)'],
    ['forward', '(f ¦#\\( ; )\n a)', '(f #\\(¦ ; )\n a)'],
  ])('The move %s goes from %j to %j', (name, drawn, expected) => {
    const { text, end } = read(drawn);
    const to = moves[name](text, end);
    expect(to === null ? null : `${text.slice(0, to)}¦${text.slice(to)}`).toBe(expected);
  });

  it('A selection grows from a name to what is in the list, the list, and the list with its prefix', () => {
    const { text, end } = read("(f '(a b¦c))");
    expect(moves.growingSpans(text, end).map((span) => text.slice(span.start, span.end))).toEqual([
      'bc',
      'a bc',
      '(a bc)',
      "'(a bc)",
      "f '(a bc)",
      "(f '(a bc))",
    ]);
  });
});

describe('the guard of the balance', () => {
  it.each<[string, 'left' | 'right', string]>([
    ['(a¦)', 'right', 'over'],
    ['(a)¦', 'left', 'over'],
    ['(¦a)', 'left', 'over'],
    ['¦(a)', 'right', 'over'],
    ['(¦)', 'left', 'pair'],
    ['(¦)', 'right', 'pair'],
    ['¦()', 'right', 'pair'],
    ['(a "¦b")', 'left', 'over'],
    ['(a "¦")', 'left', 'pair'],
    ['(a "(¦")', 'left', 'plain'],
    ['(a¦ b)', 'left', 'plain'],
    ['(a))¦', 'left', 'plain'],
    ['((a)¦', 'left', 'plain'],
    ['(#\\(¦ a)', 'left', 'plain'],
    ['(#\\¦( a)', 'left', 'over'],
    ['; (¦', 'left', 'plain'],
    [';¦ (', 'left', 'over'],
    ['; a\n¦(b)', 'left', 'plain'],
    ['(a ; b\n¦)', 'left', 'over'],
    ['¦a', 'left', 'plain'],
    ['a¦', 'right', 'plain'],
  ])('Deleting at %j to the %s: %s', (drawn, direction, expected) => {
    const { text, end } = read(drawn);
    expect(deletingAt(text, end, direction)).toBe(expected);
  });

  it('A part may go when the text stays balanced, or was not', () => {
    expect([keepsBalance('(a (b) c)', 3, 6), keepsBalance('(a (b) c)', 3, 5), keepsBalance('(a (b c)', 3, 5)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('A closer that closes nothing moves behind the list that it is in', () => {
    const { text, end } = read('(a (b ¦c) d)');
    expect([outOfList(text, end), outOfList('a b', 1), outOfList('(a b', 2)]).toEqual([8, null, null]);
  });
});
