/** The folder for cores of this process alone, where its cache cannot be used: nobody else may have put one there. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const NAME = 'lisp-workbench-core-';

let own: string | null = null;

/** Returns the folder, which is made at the first call and removed as the process exits; what processes left that were killed goes first. */
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
 * Removes the folders of processes that are over: an exit handler does not run in one that is killed, and a core takes some
 * 50 MB. @internal Exported for the fixtures of tests.
 */
export function removeLeftCores(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(NAME) ? /^(\d+)-/.exec(name.slice(NAME.length))?.[1] : undefined;
    if (pid === undefined || isThere(Number(pid))) continue;
    try {
      rmSync(path.join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // another user's, for whom it is left
    }
  }
}

/** False for a process that is over; true where the system does not tell. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
