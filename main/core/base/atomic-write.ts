/**
 * Atomic writes. The new text is written to a temporary file next to the target, synced, and renamed over the target, so that either
 * everything or nothing is replaced. On a nearly full disk, a write may store only the beginning of the data and return the smaller size.
 * Common packages (`write-file-atomic` 8, `atomically` 2) ignore that size and lose the rest of the data. On request, a file with several
 * names (hard links) is written in place.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from './error.ts';

/** The last write to each file. Writes to the same file run one after the other. */
const writing = new Map<string, Promise<void>>();

interface WriteOptions {
  readonly mode?: number;
  /** False to replace a symbolic link itself instead of the file to which it points. */
  readonly follow?: boolean;
  /** True to update a file with hard links under all its names; otherwise only this name refers to the new file. */
  readonly keepLinks?: boolean;
}

/**
 * Writes a file atomically. A symbolic link is followed unless `follow` is false. An existing file's owner and mode are preserved, but
 * `mode` overrides the mode.
 * @throws the system's error; in that case the file is unchanged.
 */
export async function writeFileAtomic(
  file: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  const name = path.resolve(file);
  // The write is queued before the first await, so that the later of two writes determines the final content.
  const written = (writing.get(name) ?? Promise.resolve()).catch(() => {}).then(() => replace(name, data, options));
  writing.set(name, written);
  try {
    await written;
  } finally {
    if (writing.get(name) === written) writing.delete(name);
  }
}

async function replace(
  file: string,
  data: string | Uint8Array,
  { mode, follow = true, keepLinks = false }: WriteOptions,
): Promise<void> {
  const target = follow ? await realpath(file).catch(() => file) : file;
  const known = await stat(target).catch(() => null);
  const itself = await lstat(target).catch(() => null);
  // A rename would leave the old text under the other names of the file.
  if (keepLinks && itself?.isFile() && itself.nlink > 1) return writeInPlace(target, data, mode);
  const kept = mode ?? (known ? known.mode & 0o7777 : undefined);
  const beside = path.join(path.dirname(target), `.${randomBytes(6).toString('hex')}.tmp`);
  const handle = await open(beside, 'wx', kept ?? 0o666);
  try {
    try {
      await handle.writeFile(data);
      if (known && process.getuid) await permitted(handle.chown(known.uid, known.gid));
      if (kept !== undefined) await permitted(handle.chmod(kept));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, target);
  } catch (error) {
    await unlink(beside).catch(() => {});
    throw error;
  }
}

/**
 * Writes a file with several names (hard links) in place, so that all names refer to the new text. @throws if that fails; in that case the
 * old text is restored.
 */
async function writeInPlace(file: string, data: string | Uint8Array, mode: number | undefined): Promise<void> {
  const handle = await open(file, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    const before = await handle.readFile();
    try {
      await overwrite(handle, data);
    } catch (error) {
      await overwrite(handle, before).catch(() => {});
      throw error;
    }
    if (mode !== undefined) await permitted(handle.chmod(mode));
  } finally {
    await handle.close();
  }
}

async function overwrite(handle: FileHandle, data: string | Uint8Array): Promise<void> {
  const bytes = Buffer.from(data);
  for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at, bytes.length - at, at)).bytesWritten;
  await handle.truncate(bytes.length);
  await handle.sync();
}

/**
 * Awaits a change of owner or mode, and ignores a failure: some systems have no owners or modes, and only root may change an owner. After a
 * failure, the file belongs to the writer.
 */
async function permitted(change: Promise<void>): Promise<void> {
  await change.catch((error: unknown) => {
    if (!['ENOSYS', 'EINVAL', 'EPERM', 'ENOTSUP'].includes(systemCode(error) ?? '')) throw error;
  });
}
