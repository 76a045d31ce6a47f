/** Found lines as rows: by file, each with its line. Pure. */
import type { FoundLine } from '#contract/project-calls.ts';
import type { TreeRow } from '../../ui/tree.tsx';

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
