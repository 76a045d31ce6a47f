/**
 * The folder for cores that only this process uses. It is used if the cache is unusable. The folder is private, so that no other user can
 * plant a core there.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const NAME = 'lisp-workbench-core-';

let own: string | null = null;

/**
 * Returns the folder, which is created at the first call and removed when the process exits. The first call also removes folders of killed
 * processes.
 */
export function ownCoreFolder(): string {
  if (own === null) {
    removeLeftCores();
    const folder = mkdtempSync(path.join(tmpdir(), `${NAME}${process.pid}-`));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    own = folder;
  }
  return own;
}

/**
 * Removes the folders of ended processes. An exit handler does not run in a killed process, and a core takes about 50 MB. @internal
 * Exported for the test fixtures.
 */
export function removeLeftCores(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(NAME) ? /^(\d+)-/.exec(name.slice(NAME.length))?.[1] : undefined;
    if (pid === undefined || isThere(Number(pid))) continue;
    try {
      rmSync(path.join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // the folder belongs to another user and cannot be removed
    }
  }
}

/** Returns false if the process has ended; true if the system does not report that. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
