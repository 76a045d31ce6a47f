/** Found lines as rows: by file, each with its line, in which the matches are marked. Pure. */
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

/** Characters of a line before its first match that a row shows at most, and those that it shows where there are more. */
const MOST_BEFORE = 60;
const SHOWN_BEFORE = 30;

/** The parts of a found line, those that matched and those between them; without the blanks around it, nor a long begin. */
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
