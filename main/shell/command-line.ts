/** The folder on the desktop's command line. Pure. */
import path from 'node:path';

/** `lisp-workbench DIR`, or `electron . DIR` from a checkout; null when there is none. */
export function folderArgument(argv: readonly string[], packaged: boolean, directory = process.cwd()): string | null {
  const words: string[] = [];
  for (let index = 1; index < argv.length; index += 1) {
    if (argv[index] === '-r') index += 1; // a module that a test harness loads first
    else if (!argv[index]!.startsWith('-')) words.push(argv[index]!);
  }
  const folder = words[packaged ? 0 : 1];
  return folder === undefined ? null : path.resolve(directory, folder);
}
