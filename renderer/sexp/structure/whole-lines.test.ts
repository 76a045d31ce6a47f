/** Commands on whole lines, in random forms. A balanced text must stay balanced, no matter what the lines contain. */
import { describe, expect, it } from 'vitest';
import { balanceOf } from '../reading/pairs.ts';
import { random, randomForm } from '../reading/random-forms.fixture.ts';
import { toggledComment } from './comment-lines.ts';
import { deletedLines } from './delete-lines.ts';
import { edited, type LineEdit, type Span } from './edits.ts';
import { copiedLines, swappedLines } from './swap-lines.ts';

interface Case {
  readonly text: string;
  readonly lines: Span;
}

/** Single lines in many random texts with several forms. The range of a line excludes its line break. */
const cases: readonly Case[] = Array.from({ length: 150 }, (_, seed) => {
  const below = random(seed);
  const text = `${Array.from({ length: 3 }, () => randomForm(below, 4)).join(' ; why )\n')}\n`;
  let start = 0;
  return text.split('\n').flatMap((line) => {
    const lines = { start, end: start + line.length };
    start = lines.end + 1;
    return lines.end < text.length ? [{ text, lines }] : [];
  });
}).flat();

const made = (text: string, effect: LineEdit): string | null =>
  typeof effect === 'string' ? null : edited(text, effect);

describe('lines of random forms', () => {
  it('Deleting a line leaves a balanced text', () => {
    const unbalanced = cases.filter(({ text, lines }) => {
      const whole = { start: lines.start, end: lines.end + 1 };
      const edits = deletedLines(text, [whole]) ?? [{ ...whole, text: '' }];
      return !balanceOf(edited(text, edits)).isBalanced;
    });
    expect(unbalanced).toEqual([]);
  });

  it('A line that is made a comment and code again is what it was', () => {
    const commented = cases.filter(({ text, lines }) => typeof toggledComment(text, lines) !== 'string');
    expect(commented.length).toBeGreaterThan(50);
    const changed = commented.filter(({ text, lines }) => {
      const after = made(text, toggledComment(text, lines))!;
      const again = { start: lines.start, end: after.indexOf('\n', lines.start) };
      return !balanceOf(after).isBalanced || made(after, toggledComment(after, again)) !== text;
    });
    expect(changed).toEqual([]);
  });

  it('Moved and copied lines leave a balanced text, or say that they cannot', () => {
    const results = cases.flatMap(({ text, lines }) => {
      const next = text.indexOf('\n', lines.end + 1);
      const lower = { start: lines.end + 1, end: next };
      const effects = [
        copiedLines(text, lines),
        ...(next < 0 ? [] : [swappedLines(text, lines, lower, 'upper'), swappedLines(text, lines, lower, 'lower')]),
      ];
      return effects.flatMap((effect) => made(text, effect) ?? []);
    });
    expect(results.length).toBeGreaterThan(50);
    expect(results.filter((after) => !balanceOf(after).isBalanced)).toEqual([]);
  });
});
