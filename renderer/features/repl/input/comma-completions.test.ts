import { describe, expect, it } from 'vitest';
import { commaTyped } from './comma-completions.ts';

describe('completion of comma commands', () => {
  it.each([
    [',', { name: '', typed: { text: '', start: 1, end: 1 }, isArgument: false }],
    [' , in', { name: 'in', typed: { text: 'in', start: 3, end: 5 }, isArgument: false }],
    [',In-Package ', { name: 'in-package', typed: { text: '', start: 12, end: 12 }, isArgument: true }],
    [',cd  /my folder', { name: 'cd', typed: { text: '/my folder', start: 5, end: 15 }, isArgument: true }],
    ['(list ,a', null],
  ])('What is completed of %j is its command or its argument', (line, found) => {
    expect(commaTyped(line)).toEqual(found);
  });
});
