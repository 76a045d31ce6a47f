/** The temporary folders of images: each makes its own when code first asks for one, named after its process. */
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Removes those of processes that are over, with what code left in them. */
export async function removeTemporary(pids: ReadonlySet<number>, environment: NodeJS.ProcessEnv): Promise<void> {
  const base = environment['TMPDIR'] || tmpdir();
  for (const name of await readdir(base).catch(() => [])) {
    const pid = /^lisp-workbench-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && pids.has(Number(pid)))
      await rm(path.join(base, name), { recursive: true, force: true }).catch(() => {}); // the system clears its temporary folder too
  }
}
