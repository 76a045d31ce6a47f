/** Deletion of whole lines without unbalancing the form around them. Pure. */
import { balanceOf } from '../reading/pairs.ts';
import { codeEndBefore, type Crossing, crossingsOf } from './crossings.ts';
import { type Edit, edited, type Span } from './edits.ts';
import { Tree } from './tree.ts';

/**
 * Returns the edits that delete lines and keep a balanced text balanced. Returns null if deleting only the lines is enough, or if no edits
 * can preserve the balance. Closers of surrounding forms are moved to the end of the code before the lines. A list that begins on the lines
 * and continues after them also loses its closer; a string that does so loses its first part. `lines` are in order and do not touch; each
 * includes its line break.
 */
export function deletedLines(text: string, lines: readonly Span[]): Edit[] | null {
  if (!balanceOf(text).isBalanced) return null;
  const removals = lines.map(({ start, end }) => ({ start, end, text: '' }));
  if (balanceOf(edited(text, removals)).isBalanced) return null;
  const tree = new Tree(text);
  const crossings = crossingsOf(tree, lines);
  const edits = [
    ...removals,
    ...lines.flatMap((gone) => closersKept(tree, gone, lines, crossings)),
    ...crossings.flatMap((crossing) => rest(text, lines, crossing)),
  ].toSorted((one, other) => one.start - other.start || one.end - other.end);
  return balanceOf(edited(text, edits)).isBalanced ? edits : null;
}

/** Returns the text of lines without the closers of surrounding forms. */
export function linesAlone(text: string, lines: readonly Span[]): string {
  const closers = crossingsOf(new Tree(text), lines).filter(
    ({ inside, kind }) => inside === 'closer' && kind === 'list',
  );
  const without = ({ start, end }: Span): Edit[] =>
    closers
      .filter(({ closer }) => start <= closer.start && closer.start < end)
      .map(({ closer }) => ({ start: closer.start - start, end: closer.end - start, text: '' }));
  return lines.map((each) => edited(text.slice(each.start, each.end), without(each))).join('');
}

/**
 * True if a list begins on the lines and continues after them, which means that its remaining forms become a part of the surrounding list.
 */
export function unwraps(text: string, lines: readonly Span[]): boolean {
  return crossingsOf(new Tree(text), lines).some(({ inside }) => inside === 'opener');
}

/** Returns the edit that inserts the closers of surrounding forms before the deleted lines. */
function closersKept(tree: Tree, gone: Span, lines: readonly Span[], crossings: readonly Crossing[]): Edit[] {
  const kept = crossings.filter(
    ({ inside, closer }) => inside === 'closer' && gone.start <= closer.start && closer.start < gone.end,
  );
  const [first] = kept;
  if (!first) return [];
  const closers = kept.map(({ closer }) => tree.text.slice(closer.start, closer.end)).join('');
  const lineEnd = tree.text[gone.start] === '\n' ? gone.start : gone.start - 1;
  const codeEnd = first.kind === 'list' ? codeEndBefore(tree, gone.start, lines) : lineEnd;
  if (codeEnd === null) return [];
  // A comment on a separate line stays inside the form that it is about, so the closers go to a new line after it.
  return hasCommentLine(tree, codeEnd, lineEnd)
    ? [{ start: lineEnd, end: lineEnd, text: `\n${closers}` }]
    : [{ start: codeEnd, end: codeEnd, text: closers }];
}

function hasCommentLine({ text }: Tree, from: number, to: number): boolean {
  return text
    .slice(from, Math.max(from, to))
    .split('\n')
    .slice(1)
    .some((line) => line.trim() !== '');
}

/** Returns the edit that corrects the text after the deleted lines: removes the closer of a list, or opens the rest of a string again. */
function rest(text: string, lines: readonly Span[], { kind, opener, closer, inside }: Crossing): Edit[] {
  if (inside === 'closer') return [];
  if (kind === 'list') return [{ ...closer, text: '' }];
  const { end } = lines.find((gone) => gone.start <= opener.start && opener.start < gone.end)!;
  const start = Math.min(closer.start, end + /^[^\S\n]*/.exec(text.slice(end))![0].length);
  return [{ start, end: start, text: text.slice(opener.start, opener.end) }];
}
