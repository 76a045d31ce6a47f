/**
 * Atomic writes: the new text is written beside the file, to the disk, and takes its place by a rename. All of it or nothing: a disk that
 * is nearly full takes the beginning of a write and says how much, which packages for this (`write-file-atomic` 8, `atomically` 2) do
 * not look at, so that the rest of the file was lost. On demand a file with several names (hard links) is written in place.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from './error.ts';

/** The last write of each file: those of one file go one after the other. */
const writing = new Map<string, Promise<void>>();

interface WriteOptions {
  readonly mode?: number;
  /** False to replace a symbolic link instead of the file to which it leads. */
  readonly follow?: boolean;
  /** True to give all names of a file that has several (hard links) the new text; else this name gets a file of its own. */
  readonly keepLinks?: boolean;
}

/**
 * Writes a file atomically; where it is a symbolic link, that which it leads to unless `follow` is false. Owner and mode of a file that exists are kept unless `mode` is
 * given.
 * @throws the error of the system; the file is as it was then.
 */
export async function writeFileAtomic(
  file: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  const name = path.resolve(file);
  // In line before anything is awaited: of two writes the later one is what the file holds in the end.
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
  // A rename would leave the other names of the file with the old text.
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

/** Writes a file that has several names (hard links), so that all of them have the new text. @throws when it fails; then the old text is written back. */
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

/** Some systems have no owners or modes, and only root may give a file away: the file is the writer's then. */
async function permitted(change: Promise<void>): Promise<void> {
  await change.catch((error: unknown) => {
    if (!['ENOSYS', 'EINVAL', 'EPERM', 'ENOTSUP'].includes(systemCode(error) ?? '')) throw error;
  });
}
