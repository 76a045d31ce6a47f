/** Determines the folder or file to open, which was named on the command line or by the system's file manager. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute paths, of which at most one is set. */
export interface Asked {
  readonly folder: string | null;
  readonly file: string | null;
}

export const NOTHING_ASKED: Asked = { folder: null, file: null };

/**
 * Returns the path in `lisp-workbench DIR|FILE`, or in `electron . DIR|FILE` when run from a checkout. A relative path is resolved in
 * `directory`.
 */
export function askedOn(argv: readonly string[], packaged: boolean, directory = process.cwd()): Asked {
  const words: string[] = [];
  for (let index = 1; index < argv.length; index += 1) {
    if (argv[index] === '-r') index += 1; // skips a module that a test harness loads first
    else if (!argv[index]!.startsWith('-')) words.push(argv[index]!);
  }
  const word = words[packaged ? 0 : 1];
  return word === undefined ? NOTHING_ASKED : askedBy(word, directory);
}

/**
 * Returns the folder or file that a path or a `file:` address names. If nothing exists there, the path counts as a folder, which is
 * reported as missing later.
 */
export function askedBy(word: string, directory = process.cwd()): Asked {
  const place = word.startsWith('file:') ? pathOf(word) : path.resolve(directory, word);
  if (place === null) return NOTHING_ASKED;
  return statSync(place, { throwIfNoEntry: false })?.isFile()
    ? { folder: null, file: place }
    : { folder: place, file: null };
}

function pathOf(address: string): string | null {
  try {
    return fileURLToPath(address);
  } catch {
    return null; // ignored, because the address belongs to another host
  }
}
