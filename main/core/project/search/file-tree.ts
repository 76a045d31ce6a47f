/**
 * The files of a project's folder, as the person's tree of them is drawn: folder by folder from the top, so that no large folder hides what
 * stands beside it. What is left out is told of each folder.
 */
import path from 'node:path';
import { entriesOf, SKIPPED } from './search.ts';

interface LeftOut {
  /** Canonical path. */
  readonly folder: string;
  /** Files that the folder holds and that are not listed; null for a folder that was not looked into. */
  readonly count: number | null;
}

export interface FileTree {
  /** Canonical paths. */
  readonly files: readonly string[];
  readonly left: readonly LeftOut[];
}

export interface TreeLimits {
  /** Files of one folder that are listed. */
  readonly each: number;
  /** Files that are listed in all; what stands at the top comes first. */
  readonly all: number;
  /** Folders that are looked into. */
  readonly folders: number;
}

/** Lists the files below a folder; links are not followed, and folders of tools are left out without a word. */
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
