/** Other names of a file (hard links) within a project. */
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';

/** The maximum number of entries to check. In a larger project, the file counts as having names outside. */
const MOST = 100_000;

/**
 * Returns true if a file has several names and all of them are inside a folder. In that case, a change through all names has no effect
 * outside.
 */
export async function hasAllNamesInside(file: string, folder: string): Promise<boolean> {
  const { ino, dev, nlink } = await lstat(file);
  if (nlink < 2) return false;
  let [names, left] = [0, MOST];
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined && names < nlink; at = folders.pop()) {
    for (const entry of await readdir(at, { withFileTypes: true }).catch(() => [])) {
      left -= 1;
      if (left < 0) return false;
      const place = path.join(at, entry.name);
      if (entry.isDirectory()) folders.push(place);
      if (!entry.isFile()) continue;
      const found = await lstat(place).catch(() => null);
      if (found?.ino === ino && found.dev === dev) names += 1;
    }
  }
  return names >= nlink;
}
