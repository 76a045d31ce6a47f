/** Moving whole lines past others, and copying them, without the closers of the forms that end on them. Pure. */
import { balanceOf } from '../reading/pairs.ts';
import { codeEndBefore, type Crossing, crossingsOf } from './crossings.ts';
import { type Edit, edited, type LineEdit, type Span } from './edits.ts';
import { Tree } from './tree.ts';

/**
 * Swaps two neighbouring blocks of lines, which are passed without their last line breaks. The closers of a surrounding form move to the
 * new last line. If the moved line leaves its form, the closers move to the line before it.
 */
export function swappedLines(text: string, upper: Span, lower: Span, moved: 'upper' | 'lower'): LineEdit {
  if (!balanceOf(text).isBalanced) return 'plain';
  const tree = new Tree(text);
  const swap = (above: string, below: string): Edit => ({
    start: upper.start,
    end: lower.end,
    text: `${below}\n${above}`,
  });
  const texts = [text.slice(upper.start, upper.end), text.slice(lower.start, lower.end)] as const;
  const otherwise = balanceOf(edited(text, [swap(...texts)])).isBalanced ? 'plain' : 'unbalancing';
  const ends = [crossingsOf(tree, [upper]), crossingsOf(tree, [lower])] as const;
  const outer = ends.map((crossings) => crossings.filter((each) => closesFormBefore(each, upper.start)));
  if (ends.some((crossings, index) => crossings.length > outer[index]!.length)) return otherwise;
  const leaving = moved === 'upper' ? outer[0]!.length : 0;
  const staying = outer[1]!.length;
  const above = withoutClosers(texts[0], leaving);
  const below = withoutClosers(texts[1], staying);
  const before = codeEndBefore(tree, upper.start);
  const codeEnd = above === null ? null : codeEndBefore(new Tree(above), above.length);
  if (leaving + staying === 0 || above === null || below === null || before === null || codeEnd === null)
    return otherwise;
  const closed = `${above.slice(0, codeEnd)}${')'.repeat(staying)}${above.slice(codeEnd)}`;
  const edits = [{ start: before, end: before, text: ')'.repeat(leaving) }, swap(closed, below)];
  return balanceOf(edited(text, edits)).isBalanced ? edits : otherwise;
}

/**
 * Inserts a copy of lines before them. The lines are passed without their last line break. The closers of a surrounding form stay after the
 * last line.
 */
export function copiedLines(text: string, lines: Span): LineEdit {
  if (!balanceOf(text).isBalanced) return 'plain';
  const copy = (of: string): Edit[] => [{ start: lines.start, end: lines.start, text: `${of}\n` }];
  const whole = text.slice(lines.start, lines.end);
  if (balanceOf(edited(text, copy(whole))).isBalanced) return 'plain';
  const crossings = crossingsOf(new Tree(text), [lines]);
  const open = crossings.every((each) => closesFormBefore(each, lines.start))
    ? withoutClosers(whole, crossings.length)
    : null;
  return open !== null && balanceOf(edited(text, copy(open))).isBalanced ? copy(open) : 'unbalancing';
}

function closesFormBefore({ kind, inside, opener }: Crossing, start: number): boolean {
  return kind === 'list' && inside === 'closer' && opener.start < start;
}

/**
 * Returns lines without the last `count` closers of their code; null if the code does not end with that many closers, or consists only of
 * them.
 */
function withoutClosers(lines: string, count: number): string | null {
  const end = codeEndBefore(new Tree(lines), lines.length);
  if (count === 0 || end === null) return count === 0 ? lines : null;
  const isThere = lines.slice(Math.max(0, end - count), end) === ')'.repeat(count);
  const rest = lines.slice(0, end - count) + lines.slice(end);
  return isThere && rest.trim() !== '' ? rest : null;
}
