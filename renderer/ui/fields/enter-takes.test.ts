import { describe, expect, it } from 'vitest';
import { enterTakes } from './enter-takes.ts';

const press = (text: string, more = {}): boolean =>
  enterTakes({ key: 'Enter', shiftKey: false, ctrlKey: false, metaKey: false, ...more }, text);

describe('Enter in a field for Lisp', () => {
  it.each([
    ['(car x)', true],
    ['x', true],
    ['"A" "B"', true],
    ['(car x))', true],
    ['', true],
    ['(car x', false],
    ['"A', false],
    ["'", false],
  ])('Enter takes whole forms, and begins a line in others: %s [issue 11.3]', (text, taken) => {
    expect(press(text)).toBe(taken);
    expect(press(text, { shiftKey: true })).toBe(false);
    expect([press(text, { ctrlKey: true }), press(text, { metaKey: true })]).toEqual([true, true]);
    expect(press(text, { key: 'a', ctrlKey: true })).toBe(false);
  });
});
