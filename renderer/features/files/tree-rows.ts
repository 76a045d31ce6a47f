/** The rows that the tree shows, for commands that move to a neighbouring row. */
import type { FileRow } from './file-tree.ts';
import type { Target } from './files-store.ts';

let shown: readonly FileRow[] = [];

export function setShownRows(rows: readonly FileRow[]): void {
  shown = rows;
}

/** Returns the row that becomes active when a file or folder is deleted: the next one of the same folder, or else the previous row. */
export function rowAfterDeletion({ kind, path }: Target): Target | null {
  const at = shown.findIndex((row) => row.kind === kind && row.path === path);
  if (at < 0) return null;
  const { level } = shown[at]!;
  const after = shown.slice(at + 1).find((row) => row.level <= level);
  const next = after && after.level === level && isTarget(after) ? after : shown.slice(0, at).findLast(isTarget);
  return next ? targetOf(next) : null;
}

export function targetOf({ kind, path }: FileRow): Target | null {
  return kind === 'file' || kind === 'folder' ? { kind, path } : null;
}

function isTarget(row: FileRow): boolean {
  return targetOf(row) !== null;
}
