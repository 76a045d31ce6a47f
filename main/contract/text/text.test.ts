import { expect, it } from 'vitest';
import { capitalized, counted, detached, messageOf, oneLine, onOneRow, plural } from './text.ts';

it.each([
  [plural(0, 'byte'), '0 bytes'],
  [plural(1, 'byte'), '1 byte'],
  [plural(1200, 'byte'), '1200 bytes'],
  [plural(1, 'file is', 'files are'), '1 file is'],
  [plural(2, 'file is', 'files are'), '2 files are'],
  [counted(1, 'line'), '1 line'],
  [counted(41_731, 'byte'), '41,731 bytes'],
  [counted(1000, 'event is', 'events are'), '1,000 events are'],
])('A number takes the noun that belongs to it: %s', (said, expected) => {
  expect(said).toBe(expected);
});

it('A text becomes one line without the spaces around it', () => {
  expect(oneLine('  (defun f\n\t  (x))\r\n')).toBe('(defun f (x))');
});

it.each([
  ['The variable |x   y| is\n  unbound.', 'The variable |x   y| is unbound.', 'The variable |x   y| is unbound.'],
  ['The value\n  "a\n b"\nis bad:   x', 'The value "a↵ b" is bad:   x', 'The value "a↵ b" is bad: x'],
  ['(f |x\r\ny|   #\\|\n  "a\\"  b")', '(f |x↵y|   #\\| "a\\"  b")', '(f |x↵y| #\\| "a\\"  b")'],
  ['(f #| a\n "b |#\n  1)', '(f #| a↵ "b |# 1)', '(f #| a↵ "b |# 1)'],
  ['(f ; it\'s "x\n   1)', '(f ; it\'s "x↵   1)', '(f ; it\'s "x↵ 1)'],
  ['left "open\n  to the end', 'left "open↵  to the end', 'left "open↵  to the end'],
])('On one row %j keeps the blanks and line ends of its strings and names', (text, words, code) => {
  expect([onOneRow(text), onOneRow(text, { code: true })]).toEqual([words, code]);
});

it('A long text is put on one row in time that grows with it alone', () => {
  const blanks = ' '.repeat(1_000_000);
  expect(onOneRow(`a${blanks}b`)).toBe(`a${blanks}b`);
  expect(onOneRow(`(${blanks}"${blanks}`, { code: true })).toBe(`( "${blanks}`.trimEnd());
});

it('A sentence begins with a capital, and nothing stays nothing', () => {
  expect([capitalized('the file'), capitalized('')]).toEqual(['The file', '']);
});

it('Whatever was thrown has a message', () => {
  expect([messageOf(new Error('No.')), messageOf('No.'), messageOf(undefined)]).toEqual(['No.', 'No.', 'undefined']);
});

it('A text in memory of its own is the same text, also with half a character at its end', () => {
  for (const text of ['', 'plain "text"\n', 'ä λ 😀', '😀'.slice(0, 1)]) expect(detached(text)).toBe(text);
});
