/** A lock for each file, so that comparing a file and writing it are one step for everyone in this process who does both. */
import { realpathSync } from 'node:fs';

/** The end of the latest work that holds or waits for a file's lock, by file; whoever asks next waits for that. */
const last = new Map<string, Promise<unknown>>();

/**
 * Runs `work` once all that asked for these files before have ended, whether well or badly. Not reentrant.
 * @param files absolute paths; two that lead to the same file have the same lock.
 */
export async function withFileLock<T>(files: readonly string[], work: () => Promise<T>): Promise<T> {
  // At once, so that who asks first is first, and two who ask for the same two files cannot wait for each other.
  const names = files.map(realNameOf);
  const before = Promise.allSettled(names.map((name) => last.get(name) ?? Promise.resolve()));
  const done = before.then(work);
  const ended = done.catch(() => {});
  for (const name of names) last.set(name, ended);
  try {
    return await done;
  } finally {
    for (const name of names) if (last.get(name) === ended) last.delete(name);
  }
}

function realNameOf(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return file; // not there yet
  }
}
