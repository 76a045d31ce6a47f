/** A lock per file. It makes comparing and then writing a file atomic for all code in this process that uses the lock. */
import { realpathSync } from 'node:fs';

/**
 * For each file, a promise that settles when the latest work that holds the lock or waits for it has ended. The next request waits for this
 * promise.
 */
const last = new Map<string, Promise<unknown>>();

/**
 * Runs `work` after all earlier work on these files has succeeded or failed. Not reentrant.
 * @param files absolute paths; two paths of the same file have the same lock.
 */
export async function withFileLock<T>(files: readonly string[], work: () => Promise<T>): Promise<T> {
  // Done synchronously, so that requests are served in order and two requests for the same two files cannot deadlock.
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
    return file; // the file does not exist yet
  }
}
