/** Finds the engine's Lisp sources, in a checkout or in a package. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { WorkbenchError } from '#core/base/error.ts';

/** Returns the nearest `lisp` folder above `from`. @throws WorkbenchError `no-sbcl` if the program is incomplete. */
export function findSources(from: string): string {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const sources = path.join(folder, 'lisp');
    if (existsSync(path.join(sources, 'build.lisp'))) return sources;
    if (path.dirname(folder) === folder)
      throw new WorkbenchError('no-sbcl', "The engine's Lisp sources are missing. Install the program again.");
  }
}
