import { describe, expect, it } from 'vitest';
import { filledDocstring } from './docstrings.ts';

describe('filledDocstring', () => {
  it('Joins lines that were broken for want of room, also those that are indented behind the quote', () => {
    expect(
      filledDocstring(
        'Return a parser for the grammar that RULES describe, in which\n  every nonterminal has a rule, and the first one is where it\n  begins.',
      ),
    ).toBe(
      'Return a parser for the grammar that RULES describe, in which every nonterminal has a rule, and the first one is where it begins.',
    );
  });

  it('Takes the first line, which stands behind the quote, for ended where a sentence ends', () => {
    const text =
      'Searches TARGET-STRING from START to END and tries\nto match REGEX.  On success returns four values - the\nstart of the match.';
    expect(filledDocstring(text).split('\n')).toHaveLength(1);
    const summary = 'Return a scanner.\nIt matches what the parse tree describes, however that was made and by whom.';
    expect(filledDocstring(summary)).toBe(summary);
  });

  it('Keeps paragraphs, lists, examples and lines that ended early', () => {
    const text = [
      'Searches the string TARGET from START to END and tries to match',
      'REGEX.',
      'On success returns four values.',
      '',
      'Options:',
      '- :start where the search begins, which is the first character if',
      '- :end where it ends',
      '',
      '  (scan "a" "banana") => 1, 2, #(), and nothing else that were of',
      '  (scan "x" "banana") => NIL',
    ];
    expect(filledDocstring(text.join('\n')).split('\n')).toEqual([
      'Searches the string TARGET from START to END and tries to match REGEX.',
      ...text.slice(2),
    ]);
  });

  it('Leaves a text of short lines as it is', () => {
    expect(filledDocstring('One.\ntwo\nthree')).toBe('One.\ntwo\nthree');
    expect(filledDocstring('')).toBe('');
  });
});
