/** Problems as rows: by file, each with its line. Pure. */
import type { Problem } from '../../features/problems.ts';
import type { TreeRow } from '../../ui/tree.tsx';

export type ProblemRow =
  | (TreeRow & { readonly kind: 'file'; readonly file: string | null; readonly count: number })
  | (TreeRow & { readonly kind: 'problem'; readonly problem: Problem });

/** The rows of problems that are in the order of their files. `closed` are the files that are folded. */
export function problemRows(listed: readonly Problem[], closed: ReadonlySet<string>): ProblemRow[] {
  const files = Map.groupBy(listed, ({ file }) => file ?? '');
  let position = 0;
  return [...files].flatMap(([file, within]): ProblemRow[] => {
    position += 1;
    const title = file === '' ? 'At no known place' : file;
    const head: ProblemRow = {
      id: `file:${file}`,
      level: 1,
      label: `${title}, ${within.length}`,
      expanded: !closed.has(file),
      position,
      siblings: files.size,
      kind: 'file',
      file: file === '' ? null : file,
      count: within.length,
    };
    if (closed.has(file)) return [head];
    return [
      head,
      ...within.map((problem, index): ProblemRow => ({
        id: problem.id,
        level: 2,
        label: `${problem.severity}, ${problem.message}${problem.line === null ? '' : `, line ${problem.line}`}`,
        expanded: null,
        position: index + 1,
        siblings: within.length,
        kind: 'problem',
        problem,
      })),
    ];
  });
}
