/** Problems as rows: by file, each problem with its line. Pure. */
import type { Problem } from './problems.ts';
import type { TreeRow } from '../../ui/panels/tree.tsx';
import { fileName, folderPath, pathWithin } from '../../base/text/paths.ts';

export type ProblemRow =
  | (TreeRow & { readonly kind: 'file'; readonly file: string | null; readonly count: number })
  | (TreeRow & { readonly kind: 'problem'; readonly problem: Problem });

/** Returns the rows of problems, which must be in the order of their files. `closed` names the folded files. */
export function problemRows(
  listed: readonly Problem[],
  closed: ReadonlySet<string>,
  project: string | null,
): ProblemRow[] {
  const files = Map.groupBy(listed, ({ file }) => file ?? '');
  let position = 0;
  return [...files].flatMap(([file, within]): ProblemRow[] => {
    position += 1;
    const { title, folder } = fileWords(file, project);
    const head: ProblemRow = {
      id: `file:${file}`,
      level: 1,
      label: [title, folder, within.length.toLocaleString('en')].filter(Boolean).join(' '),
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
        label: `${problem.severity}: ${Object.values(problemWords(problem)).filter(Boolean).join(' ')}`,
        expanded: null,
        position: index + 1,
        siblings: within.length,
        kind: 'problem',
        problem,
      })),
    ];
  });
}

/**
 * Returns a file's name and folder as shown and read aloud. The folder is relative to the project. If the file is unknown, the name says
 * so.
 */
export function fileWords(file: string | null, project: string | null): { title: string; folder: string } {
  if (file === null || file === '') return { title: 'Unknown location', folder: '' };
  const inside = project === null ? null : pathWithin(project, file);
  return { title: fileName(file), folder: folderPath(inside ?? file) };
}

/** Returns the parts of a problem in the order in which they are shown and read aloud. */
export function problemWords({ message, context, line, column }: Problem): {
  message: string;
  context: string;
  place: string;
} {
  return {
    message: message.replaceAll(/\s+/g, ' '),
    context: context?.toLowerCase() ?? '',
    place: line === null ? '' : `${line}:${column ?? 1}`,
  };
}
