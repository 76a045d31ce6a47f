/** The temporary folders of images. Each image creates its own, named after its process, when code first requests one. */
import { lstat, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const FOLDER = /^lisp-workbench-(\d+)-\w{6}$/;
/**
 * Matches the name of the entry with which a resumed checkpoint's process claims the temporary folder of an earlier process, so that the
 * folder is not removed.
 */
const CLAIM = /^\.process-(\d+)$/;

/** Removes the folders of ended processes, with their content. */
export async function removeTemporary(pids: ReadonlySet<number>, environment: NodeJS.ProcessEnv): Promise<void> {
  for (const { folder, pid } of await foldersIn(baseOf(environment))) if (pids.has(pid)) await remove(folder);
}

const cleared = new Set<string>();

/**
 * Removes the folders that remained because an image and its workbench were both killed; runs once for each parent folder. A folder stays
 * if any process has its number, even another program's, or if a resumed checkpoint of its image is running.
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

/** Returns true for a folder of this user; false for a link to one. */
async function isOwn(folder: string): Promise<boolean> {
  const status = await lstat(folder).catch(() => null);
  return status !== null && status.isDirectory() && (process.getuid === undefined || status.uid === process.getuid());
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

/** Removes a folder. Links are removed without following them. */
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {}); // on failure the system's own cleanup of its temporary folder remains
}
