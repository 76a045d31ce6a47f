/**
 * Lists the files of a project's folder for the person's file tree, folder by folder from the top, so that a large folder does not hide its
 * neighbors. Omitted files are reported by folder.
 */
import { readlinkSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ProjectLink } from '#contract/project.ts';
import { entriesOf, SKIPPED } from './search.ts';

interface LeftOut {
  /** Canonical path. */
  readonly folder: string;
  /** The number of unlisted files in the folder; null for a folder that was not read. */
  readonly count: number | null;
}

interface FoundLink extends Pick<ProjectLink, 'target' | 'leads'> {
  /** The path of the link itself; canonical unless it is behind another link. */
  readonly link: string;
}

export interface FileTree {
  /** Canonical paths. */
  readonly files: readonly string[];
  /** Files behind links to folders inside `root`, by their paths through these links. */
  readonly linked: readonly string[];
  readonly links: readonly FoundLink[];
  /** Folders without any listed content. */
  readonly empty: readonly string[];
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

interface Walked {
  /** The path through which the folder is shown. */
  readonly shown: string;
  /** Canonical path. */
  readonly real: string;
  /** The canonical paths of the folders whose links were followed to come here. */
  readonly through: readonly string[];
}

/**
 * Lists the files below a folder with a canonical path. Links to folders inside it are followed after all other folders, except into a
 * folder that contains the link. Tools' own folders are skipped without a report.
 */
export async function fileTree(root: string, { each, all, folders }: TreeLimits): Promise<FileTree> {
  const found = { files: [] as string[], linked: [] as string[], links: [] as FoundLink[], empty: [] as string[] };
  const left: LeftOut[] = [];
  const queue: Walked[] = [{ shown: root, real: root, through: [] }];
  const behind: Walked[] = [];
  let listedCount = 0;
  for (let index = 0; index < queue.length + behind.length; index += 1) {
    const folder = queue[index] ?? behind[index - queue.length]!;
    const { shown, real, through } = folder;
    if (index >= folders) {
      left.push({ folder: shown, count: null });
      continue;
    }
    const entries = entriesOf(real).filter((entry) => entry.isFile() || !SKIPPED.has(entry.name));
    const within = entries.filter((entry) => entry.isFile() || entry.isSymbolicLink());
    const listed = within.slice(0, Math.min(each, Math.max(0, all - listedCount)));
    listedCount += listed.length;
    for (const entry of listed) {
      const place = path.join(shown, entry.name);
      if (entry.isFile()) (through.length === 0 ? found.files : found.linked).push(place);
      else {
        const { target, leads, followed } = look(path.join(real, entry.name), folder, root);
        found.links.push({ link: place, target, leads });
        if (followed !== null) behind.push({ shown: place, real: followed, through: [...through, real] });
      }
    }
    if (listed.length < within.length) left.push({ folder: shown, count: within.length - listed.length });
    const inner = entries.filter((entry) => entry.isDirectory());
    if (within.length + inner.length === 0) found.empty.push(shown);
    const below = through.length === 0 ? queue : behind;
    for (const { name } of inner) below.push({ shown: path.join(shown, name), real: path.join(real, name), through });
  }
  return { ...found, left };
}

/** Returns where a link leads, and the canonical path of its folder if it is followed. */
function look(
  link: string,
  { real, through }: Walked,
  root: string,
): Pick<ProjectLink, 'target' | 'leads'> & { followed: string | null } {
  try {
    const target = readlinkSync(link);
    try {
      const goal = realpathSync.native(link);
      const isFolder = statSync(goal).isDirectory();
      if (!isWithin(goal, root)) return { target, leads: isFolder ? 'folder outside' : 'file outside', followed: null };
      if (!isFolder) return { target, leads: 'file', followed: null };
      const isCircle = [real, ...through].some((folder) => isWithin(folder, goal));
      const isSkipped = path
        .relative(root, goal)
        .split(path.sep)
        .some((name) => SKIPPED.has(name));
      return { target, leads: isCircle ? 'circle' : 'folder', followed: isCircle || isSkipped ? null : goal };
    } catch {
      return { target, leads: 'nothing', followed: null };
    }
  } catch {
    return { target: '', leads: 'nothing', followed: null }; // the link was removed in the meantime
  }
}

function isWithin(place: string, folder: string): boolean {
  return place === folder || place.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}
