/** Rows for found lines: the files and, below each, its lines with their matches marked. Pure. */
import type { FoundLine } from '#contract/project.ts';
import type { TreeRow } from '../../ui/panels/tree.tsx';

export type SearchRow =
  | (TreeRow & { readonly kind: 'file'; readonly file: string; readonly count: number })
  | (TreeRow & { readonly kind: 'line'; readonly found: FoundLine });

export function searchRows(lines: readonly FoundLine[], closed: ReadonlySet<string>): SearchRow[] {
  const files = Map.groupBy(lines, ({ file }) => file);
  let position = 0;
  return [...files].flatMap(([file, within]): SearchRow[] => {
    position += 1;
    const head: SearchRow = {
      id: `file:${file}`,
      level: 1,
      label: `${file}, ${within.length.toLocaleString('en')}`,
      expanded: !closed.has(file),
      position,
      siblings: files.size,
      kind: 'file',
      file,
      count: within.length,
    };
    if (closed.has(file)) return [head];
    return [
      head,
      ...within.map((found, index): SearchRow => ({
        id: `${file}:${found.line}`,
        level: 2,
        label: `${found.line} ${found.text.trim()}`,
        expanded: null,
        position: index + 1,
        siblings: within.length,
        kind: 'line',
        found,
      })),
    ];
  });
}

/**
 * The maximum number of characters that a row shows before the first match of a line. If there are more, it shows only `SHOWN_BEFORE` of
 * them.
 */
const MOST_BEFORE = 60;
const SHOWN_BEFORE = 30;

/**
 * Returns the pieces of a found line: the matches and the text between them. Leaves out the whitespace around the line and the start of a
 * long text before the first match.
 */
export function linePieces({ text, marks }: Pick<FoundLine, 'text' | 'marks'>): { text: string; isMatch: boolean }[] {
  const first = text.length - text.trimStart().length;
  const last = text.trimEnd().length;
  const isFar = (marks[0]?.[0] ?? 0) - first > MOST_BEFORE;
  let at = isFar ? marks[0]![0] - SHOWN_BEFORE : first;
  const pieces = isFar ? [{ text: '…', isMatch: false }] : [];
  const add = (to: number, isMatch: boolean): void => {
    const end = Math.min(to, last);
    if (end > at) pieces.push({ text: text.slice(at, end), isMatch });
    at = Math.max(at, end);
  };
  for (const [start, end] of marks) {
    add(start, false);
    add(end, true);
  }
  add(last, false);
  return pieces;
}
