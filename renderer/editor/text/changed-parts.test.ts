import { describe, expect, test } from 'vitest';
import { type ChangedPart, changedParts } from './changed-parts.ts';

/** Returns the text with the changed parts applied. */
function applied(text: string, parts: readonly ChangedPart[]): string {
  let [result, at] = ['', 0];
  for (const part of parts) {
    result += text.slice(at, part.start) + part.text;
    at = part.end;
  }
  return result + text.slice(at);
}

const CASES: readonly (readonly [string, string])[] = [
  ['', '(one)\n'],
  ['(one)\n', ''],
  ['(one)', '(one)\n'],
  ['(one)\n(two)\n', '(one)\n(two)\n(three)'],
  ['(one)\n(two)\n(three)\n', '(zero)\n(one)\n(2)\n(three)\n(four)\n'],
  ['(a)\n(a)\n(a)\n', '(a)\n'],
  ['(a)\n', '(a)\n(a)\n(a)\n'],
  ['(one)\r\n(two)\r\n', '(one)\r\n(other)\r\n(two)\r\n'],
  ['abc', 'xyz'],
  ['\nabc', 'x\nabc'],
  ['\n\n', '\n'],
];

describe('changed parts', () => {
  test.each(CASES)('The parts make of %j the text %j', (before, after) => {
    expect(applied(before, changedParts(before, after))).toBe(after);
  });

  test('Two changes far from each other are two parts, and what lies between them is in none', () => {
    const before = '(one)\n(two)\n(three)\n(four)\n(five)\n';
    expect(changedParts(before, '; new\n(one)\n(two)\n(three)\n(4)\n(five)\n')).toEqual([
      { start: 0, end: 0, text: '; new\n' },
      { start: before.indexOf('(four)'), end: before.indexOf('(five)'), text: '(4)\n' },
    ]);
  });

  test('The same text has no parts', () => {
    expect(changedParts('(one)\n', '(one)\n')).toEqual([]);
  });
});
