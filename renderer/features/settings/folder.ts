/** Parses a folder that the person typed: relative to the project, with slashes. Pure. */
import { withSlashes } from '../../base/text/paths.ts';

/** Returns the folder in its normal form, or a text about the problem with it. */
export function folderFrom(
  written: string,
  known: readonly string[],
): { folder: string; problem: null } | { folder: null; problem: string } {
  const folder = withSlashes(written.trim())
    .replace(/\/+$/, '')
    .replace(/^(\.\/)+/, '');
  const problem = problemOf(folder, known);
  return problem === null ? { folder, problem } : { folder: null, problem };
}

function problemOf(folder: string, known: readonly string[]): string | null {
  if (folder === '') return 'Enter a folder of the project, such as exports.';
  if (/^(\/|~|[A-Za-z]:)/.test(folder)) return 'Use a path relative to the project folder, such as data/exports.';
  const parts = folder.split('/');
  if (parts.includes('..')) return 'The folder must be inside the project.';
  if (parts.some((part) => part.startsWith('.')))
    return 'Writing to folders whose names begin with a dot always needs approval.';
  if (folder.length > 1000) return 'This name is too long.';
  return known.includes(folder) ? 'The folder is already in the list.' : null;
}
