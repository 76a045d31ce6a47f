import { expect, it } from 'vitest';
import { plainText } from './plain-text.ts';

it.each([
  ['a heading', '# Heading\n\nText.', 'Heading. Text.'],
  ['emphasis', 'It is **very** *good*, ~~not~~ bad.', 'It is very good, not bad.'],
  ['code', 'Call `(f x)`:\n\n```lisp\n(f 1)\n```', 'Call (f x): (f 1)'],
  ['a fence that is not closed', '```lisp\n(f 1)', '(f 1)'],
  ['a list', '- one\n- **two**', 'one. two.'],
  ['a numbered list', '3. one\n4. two', '3. one. 4. two.'],
  ['a quote', '> said so', 'said so'],
  ['a rule', 'a\n\n---\n\nb', 'a b'],
  ['a table', '| name | value |\n| --- | --- |\n| `a` | **1** |', 'name, value. a, 1.'],
  ['a link', 'See [the notes](https://example.org/notes).', 'See the notes.'],
  ['tags', '<script>alert(1)</script> and <b>bold</b><br/>', 'alert(1) and bold'],
  ['an object of Lisp', 'It is #<FUNCTION F>, in a list<string>.', 'It is #<FUNCTION F>, in a list<string>.'],
  ['tags within code', '`<b>`', '<b>'],
  ['an escaped mark', String.raw`2 \* 3 and snake_case_name`, '2 * 3 and snake_case_name'],
])('What is read out has no marks of %s', (_name, markdown, expected) => {
  expect(plainText(markdown)).toBe(expected);
});
