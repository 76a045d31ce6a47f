import { expect, it } from 'vitest';
import { capitalized, counted, messageOf, oneLine, plural } from './text.ts';

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

it('A sentence begins with a capital, and nothing stays nothing', () => {
  expect([capitalized('the file'), capitalized('')]).toEqual(['The file', '']);
});

it('Whatever was thrown has a message', () => {
  expect([messageOf(new Error('No.')), messageOf('No.'), messageOf(undefined)]).toEqual(['No.', 'No.', 'undefined']);
});
