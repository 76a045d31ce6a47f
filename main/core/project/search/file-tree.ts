/**
 * Lists the files of a project's folder for the person's file tree, folder by folder from the top, so that a large folder does not hide its
 * neighbors. Omitted files are reported by folder.
 */
import path from 'node:path';
import { entriesOf, SKIPPED } from './search.ts';

interface LeftOut {
  /** Canonical path. */
  readonly folder: string;
  /** The number of unlisted files in the folder; null for a folder that was not read. */
  readonly count: number | null;
}

export interface FileTree {
  /** Canonical paths. */
  readonly files: readonly string[];
  readonly left: readonly LeftOut[];
}

export interface TreeLimits {
  /** The maximum number of listed files in one folder. */
  readonly each: number;
  /** The maximum number of listed files in total; files near the top come first. */
  readonly all: number;
  /** The maximum number of folders to read. */
  readonly folders: number;
}

/** Lists the files below a folder. Links are not followed, and tools' own folders are skipped without a report. */
export async function fileTree(root: string, { each, all, folders }: TreeLimits): Promise<FileTree> {
  const files: string[] = [];
  const left: LeftOut[] = [];
  const queue = [root];
  for (let index = 0; index < queue.length; index += 1) {
    const folder = queue[index]!;
    if (index >= folders) {
      left.push({ folder, count: null });
      continue;
    }
    const entries = entriesOf(folder);
    const within = entries.filter((entry) => entry.isFile());
    const listed = within.slice(0, Math.min(each, Math.max(0, all - files.length)));
    for (const { name } of listed) files.push(path.join(folder, name));
    if (listed.length < within.length) left.push({ folder, count: within.length - listed.length });
    for (const entry of entries)
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) queue.push(path.join(folder, entry.name));
  }
  return { files, left };
}
