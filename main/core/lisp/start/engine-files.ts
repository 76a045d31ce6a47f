/** The files from which the engine's core is built. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { WorkbenchError } from '#core/base/error.ts';

/** Returns a digest that changes if a file of the engine in `sources` changes. @throws WorkbenchError `no-sbcl` if there are no files. */
export function digestOf(sources: string): string {
  const hash = createHash('sha256');
  // The files are read synchronously, because the image waits for the digest. Asynchronous reads of these hundreds of small files take ten
  // times as long.
  for (const name of namesIn(sources)) hash.update(name).update(readFileSync(path.join(sources, name)));
  return hash.digest('hex');
}

/**
 * Returns the files with their texts; names are relative to `sources`, with slashes. @throws WorkbenchError `no-sbcl` if there are no
 * files.
 */
export function engineFiles(sources: string): { name: string; text: string }[] {
  return namesIn(sources).map((name) => ({
    name: name.split(path.sep).join('/'),
    text: readFileSync(path.join(sources, name), 'utf8'),
  }));
}

function namesIn(sources: string): string[] {
  const names = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(lisp|asd)$/.test(name) && !name.startsWith('tests'))
    .toSorted();
  if (names.length > 0) return names;
  throw new WorkbenchError(
    'no-sbcl',
    `The engine's sources are missing: ${sources} contains no Lisp files. Install the program again.`,
  );
}
