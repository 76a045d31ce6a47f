import { expect, it } from 'vitest';
import { joinedStacks } from './joined-stacks.ts';

it('Recursion is one frame, of one function or of several in turn, and stacks that are then alike are added up', () => {
  expect(
    joinedStacks([
      { frames: ['main', 'fib', 'fib', 'fib'], count: 3 },
      { frames: ['main', 'fib', 'fib'], count: 4 },
      { frames: ['main', 'even', 'odd', 'even', 'odd', 'even', 'odd', '+'], count: 2 },
      { frames: ['main', 'other'], count: 1 },
    ]),
  ).toEqual(['7 · main > fib (recursive)', '2 · main > even > odd (recursive) > +', '1 · main > other']);
});
