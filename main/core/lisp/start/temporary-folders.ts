/** The temporary folders of images: each makes its own when code first asks for one, named after its process. */
import { lstat, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const FOLDER = /^lisp-workbench-(\d+)-\w{6}$/;
/** The entry by which a copy that goes on as the image keeps the folder of the process that made it. */
const CLAIM = /^\.process-(\d+)$/;

/** Removes those of processes that are over, with what code left in them. */
export async function removeTemporary(pids: ReadonlySet<number>, environment: NodeJS.ProcessEnv): Promise<void> {
  for (const { folder, pid } of await foldersIn(baseOf(environment))) if (pids.has(pid)) await remove(folder);
}

const cleared = new Set<string>();

/**
 * Removes the folders that images and their workbench left when both were killed; once for each place. A folder stays while a process has
 * its number, be it another program's, and while a copy of its image goes on.
 */
export async function removeLeftTemporary(environment: NodeJS.ProcessEnv): Promise<void> {
  const base = baseOf(environment);
  if (cleared.has(base)) return;
  cleared.add(base);
  for (const { folder, pid } of await foldersIn(base)) {
    if (isThere(pid) || !(await isOwn(folder))) continue;
    const claims = (await readdir(folder).catch(() => [])).flatMap((name) => CLAIM.exec(name)?.[1] ?? []);
    if (!claims.some((claim) => isThere(Number(claim)))) await remove(folder);
  }
}

function baseOf(environment: NodeJS.ProcessEnv): string {
  return environment['TMPDIR'] || tmpdir();
}

async function foldersIn(base: string): Promise<{ folder: string; pid: number }[]> {
  const names = await readdir(base).catch(() => []);
  return names.flatMap((name) => {
    const pid = FOLDER.exec(name)?.[1];
    return pid === undefined ? [] : [{ folder: path.join(base, name), pid: Number(pid) }];
  });
}

/** True for a folder of this user; false for a link to one. */
async function isOwn(folder: string): Promise<boolean> {
  const status = await lstat(folder).catch(() => null);
  return status !== null && status.isDirectory() && (process.getuid === undefined || status.uid === process.getuid());
}

/** False for a process that is over; true where the system does not say. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Removes a folder; of links in it, and in its place, only the links. */
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {}); // the system clears its temporary folder too
}
