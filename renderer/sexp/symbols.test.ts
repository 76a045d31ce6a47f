import { describe, expect, it } from 'vitest';
import { bareName, symbolAt, symbolIn, typedBefore } from './symbols.ts';

/** Returns the symbol at `|` in a line. */
function at(marked: string): string | null {
  const index = marked.indexOf('|');
  return symbolAt(marked.replace('|', ''), index)?.text ?? null;
}

describe('symbols in a line', () => {
  it('The symbol around, before and after a caret is found with its package prefix', () => {
    expect(at('(alexandria:if-l|et (x) x)')).toBe('alexandria:if-let');
    expect(at('(total| cart)')).toBe('total');
    expect(at('(|total cart)')).toBe('total');
    expect(at("(mapcar #'shop::pri|ce items)")).toBe('shop::price');
    expect(at('(f :quan|tity 3)')).toBe(':quantity');
  });

  it('A name in bars is one symbol, with its blanks and parentheses', () => {
    const found = (line: string, under: string) => symbolAt(line, line.indexOf(under))?.text ?? null;
    expect(found('(list |a b| c)', 'b|')).toBe('|a b|');
    expect(found("(f 'shop::|odd (name)| x)", 'name')).toBe('shop::|odd (name)|');
    expect(found('(f |a\\| b| c)', ' b|')).toBe('|a\\| b|');
    expect(found('(f "|" name "|")', 'name')).toBe('name');
    expect(found('(f #\\| name #\\|)', 'name')).toBe('name');
    expect(found('#| a name |# (other x)', 'name')).toBe('name');
    expect(found('(f name) ; | and name |', 'name')).toBe('name');
    expect(found('(f |begun name)', 'name')).toBe('name');
  });

  it('In a text of several lines a name is found on the line of the caret, by offsets of the text', () => {
    const text = '(let ((a 1))\n  (total a)\n  b)';
    expect(symbolIn(text, text.indexOf('total') + 5)).toEqual({ text: 'total', start: 16, end: 21 });
    expect(symbolIn(text, text.length - 1)?.text).toBe('b');
    expect([symbolIn(text, 12), symbolIn(text, 13), symbolIn('', 0)]).toEqual([null, null, null]);
  });

  it('Prefixes of the reader are no part of a symbol', () => {
    expect(at('`(,@bo|dy)')).toBe('body');
    expect(at('(:export #:to|tal)')).toBe(':total');
    expect(at("'(qu|ote)")).toBe('quote');
  });

  it('Numbers, dots and empty places are no symbols', () => {
    const none = ['(+ 1|2 3)', '(a . |)', '( | )', '1/|2', '-3.5|e10', '(a |. b)'].map((marked) => [
      marked,
      at(marked),
    ]);
    expect(none.filter(([, found]) => found !== null)).toEqual([]);
    expect(at('(1|+ x)')).toBe('1+');
    expect(at('(*gl|obal*)')).toBe('*global*');
  });

  it('An escaped terminating character belongs to the symbol', () => {
    expect(at('(odd\\ na|me x)')).toBe('odd\\ name');
  });

  it('Only what stands before the caret counts as typed', () => {
    expect(typedBefore('(with-open-file', 7)).toEqual({ text: 'with-o', start: 1, end: 7 });
    expect(typedBefore('( ', 2)).toEqual({ text: '', start: 2, end: 2 });
  });

  it('A bare name has no package', () => {
    expect([bareName('cl:car'), bareName('shop::total'), bareName('car'), bareName(':key')]).toEqual([
      'car',
      'total',
      'car',
      'key',
    ]);
  });
});
