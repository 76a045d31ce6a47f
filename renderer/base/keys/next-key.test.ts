import { expect, test } from 'vitest';
import { characterOf } from './next-key.ts';

test('A key stands for its character, with Ctrl for the control character, and keys without one for none', () => {
  const of = (key: string, ctrlKey = false): string | null => characterOf({ key, ctrlKey });
  expect([of('a'), of('λ'), of('😀'), of('('), of('Enter'), of('Tab')]).toEqual(['a', 'λ', '😀', '(', '\n', '\t']);
  expect([of('l', true), of('L', true), of('j', true), of('m', true), of('[', true)]).toEqual([
    '\f',
    '\f',
    '\n',
    '\n',
    '\u001b',
  ]);
  expect([of('F5'), of('ArrowLeft'), of('1', true)]).toEqual([null, null, null]);
});
