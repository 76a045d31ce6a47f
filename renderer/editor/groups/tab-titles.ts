/** The titles of tabs: the file name, plus the folder if several files have the same name. Pure. */
import { pathParts } from '../../base/text/paths.ts';

export interface Titled {
  readonly id: string;
  /** The absolute path of the file; null for a text without one. */
  readonly path: string | null;
  readonly title: string;
}

/**
 * Returns, for each text whose title is not unique, the shortest suffix of its folder path that distinguishes it from the others. The keys
 * are the texts' ids.
 */
export function distinguishing(texts: readonly Titled[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const same of Map.groupBy(texts, ({ title }) => title).values()) {
    if (same.length < 2) continue;
    for (const text of same) {
      const folders = foldersOf(text);
      const others = same.filter((other) => other !== text).map(foldersOf);
      let count = 1;
      while (count < folders.length && others.some((other) => endOf(other, count) === endOf(folders, count)))
        count += 1;
      if (folders.length > 0) found.set(text.id, endOf(folders, count));
    }
  }
  return found;
}

function foldersOf({ path }: Titled): string[] {
  return path === null ? [] : pathParts(path).slice(0, -1);
}

function endOf(folders: readonly string[], count: number): string {
  return folders.slice(-count).join('/');
}
