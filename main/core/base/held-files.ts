/**
 * Safe file access in folders where less trusted code can write: projects, and the homes of agents. Such code can replace a file or folder
 * with a link, a pipe or a device at any time. The workbench must not follow these, because it has more rights than the code. Therefore,
 * while a file is accessed, its folder is kept open by descriptor, and only regular files are read. A new file is renamed into place, which
 * replaces a link instead of following it.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { systemCode, WorkbenchError } from './error.ts';

/**
 * Flags that open a folder only as a reference, so that read permission is not needed. Uses Linux's `O_PATH`, which has no name in Node.
 */
const HOLD = constants.O_DIRECTORY | (process.platform === 'linux' ? 0o10000000 : constants.O_RDONLY);

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/**
 * Reads a regular file, following links. Use this only for a file that the person specifies or that the less trusted code cannot replace.
 * @throws WorkbenchError `refused` for a pipe, device or socket, `too-large` for more than `most` octets; system errors.
 */
export function readRegularFile(file: string, most: number): Promise<Buffer> {
  return readRegular(file, file, most, 0);
}

/** Reads a regular file synchronously, like `readRegularFile`, but without following links. */
export function readRegularFileSync(file: string, most: number): Buffer {
  return readWith(file, most, (octets) => Buffer.from(octets));
}

/**
 * A shared buffer for files whose octets are not retained. Allocating a buffer for each small file would take as long as reading the file.
 */
const SHARED = Buffer.alloc(256 * 1024);

/**
 * Calls `take` with the octets of a regular file and returns the result. The octets are only valid during that call. @throws like
 * `readRegularFileSync`.
 */
function readWith<Result>(file: string, most: number, take: (octets: Buffer) => Result): Result {
  const descriptor = openSync(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const known = fstatSync(descriptor);
    if (!known.isFile()) throw notRegular(file);
    if (known.size > most) throw tooLarge(file, known.size, most);
    const octets = known.size <= SHARED.length ? SHARED : Buffer.alloc(known.size);
    return take(octets.subarray(0, readSync(descriptor, octets, 0, known.size, null)));
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Calls `work` with a name for the file that refers to the same folder even if the path changes in the meantime. `file` is a canonical path
 * whose folder exists. On systems without `/proc` there is no such name, so `work` receives the path.
 * @throws WorkbenchError `refused` if the path now leads to another folder; system errors.
 */
export async function inHeldFolder<Result>(file: string, work: (name: string) => Promise<Result>): Promise<Result> {
  if (process.platform !== 'linux') return work(file);
  const folder = path.dirname(file);
  const handle = await open(folder, HOLD);
  try {
    const held = `/proc/self/fd/${handle.fd}`;
    if ((await readlink(held)) !== folder) throw replaced(folder);
    return await work(path.join(held, path.basename(file)));
  } finally {
    await handle.close();
  }
}

/**
 * Reads a regular file by its canonical path; fails if the file or its folder has become a link. @throws like `inHeldFolder` and
 * `readRegularFile`.
 */
export function readCanonicalFile(file: string, most: number): Promise<Buffer> {
  return inHeldFolder(file, (name) => readRegular(name, file, most, O_NOFOLLOW));
}

/**
 * Reads regular files in one folder, given by its canonical path; the folder is opened once for all of them. Meant for many small files,
 * for which asynchronous reads would take longer. Calls `take` for each file and returns the results, with null for a file that is not
 * regular or cannot be read. The octets are only valid during the call of `take`. Blocks the process, so callers should pass few files at a
 * time.
 */
export function readCanonicalFilesSync<Result>(
  folder: string,
  names: readonly string[],
  most: number,
  take: (octets: Buffer) => Result,
): (Result | 'too large' | null)[] {
  try {
    return inHeldFolderSync(folder, (held) => names.map((name) => readOrNull(`${held}/${name}`, most, take)));
  } catch {
    return names.map(() => null);
  }
}

/**
 * Calls `work` synchronously with a name for the folder, like `inHeldFolder`. Faster than `inHeldFolder` for many small steps, because no
 * other thread is involved.
 * @throws like `inHeldFolder`.
 */
export function inHeldFolderSync<Result>(folder: string, work: (held: string) => Result): Result {
  if (process.platform !== 'linux') return work(folder);
  const descriptor = openSync(folder, HOLD);
  try {
    const held = `/proc/self/fd/${descriptor}`;
    if (readlinkSync(held) !== folder) throw replaced(folder);
    return work(held);
  } finally {
    closeSync(descriptor);
  }
}

function replaced(folder: string): WorkbenchError {
  return new WorkbenchError(
    'refused',
    `${folder} was just replaced by a link, so nothing was read or changed. Try again.`,
  );
}

function readOrNull<Result>(file: string, most: number, take: (octets: Buffer) => Result): Result | 'too large' | null {
  try {
    return readWith(file, most, take);
  } catch (error) {
    return error instanceof WorkbenchError && error.code === 'too-large' ? 'too large' : null;
  }
}

/**
 * Creates the missing folders of a canonical path without following links. @throws WorkbenchError `refused` if a component of the path is a
 * link; system errors.
 */
export async function makeCanonicalFolder(folder: string): Promise<void> {
  const [first] = await missingFolders(folder);
  if (first === undefined) return;
  const below = path.relative(path.dirname(first), folder);
  await inHeldFolder(first, (name) =>
    inFolder(path.dirname(name), path.join(below, 'file'), 0o777, () => Promise.resolve()),
  );
}

/** Resolves with the missing folders of a path, outermost first. */
export async function missingFolders(folder: string): Promise<string[]> {
  const { root } = path.parse(folder);
  const missing: string[] = [];
  for (let place = folder; place !== root && !(await isThere(place)); place = path.dirname(place))
    missing.unshift(place);
  return missing;
}

/**
 * Reads a text file. `root` is a folder that the less trusted code cannot replace; `name` is a path relative to `root`. Resolves with null
 * if there is no such file.
 * @throws WorkbenchError `refused` if a component of the path is a link or the file is not regular, `too-large` if it has more than `most`
 * octets; system errors.
 */
export async function readHeldFile(root: string, name: string, most: number): Promise<string | null> {
  try {
    const octets = await inFolder(root, name, null, (place) =>
      readRegular(place, path.join(root, name), most, O_NOFOLLOW),
    );
    return octets.toString('utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Writes a file that only the person can read, and creates missing folders in its path. `root` and `name` are the same as for
 * `readHeldFile`. Resolves with true if the file replaced a link, a pipe or something else that is not a regular file.
 * @throws WorkbenchError `refused` if a folder in the path is a link; system errors. In that case the file is unchanged.
 */
export function writeHeldFile(root: string, name: string, text: string): Promise<boolean> {
  return inFolder(root, name, 0o700, async (place) => {
    const beside = path.join(path.dirname(place), `.${randomBytes(6).toString('hex')}.tmp`);
    try {
      const handle = await open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
      try {
        await handle.writeFile(text);
      } finally {
        await handle.close();
      }
      const before = await lstat(place).catch(() => null);
      await rename(beside, place);
      return before !== null && !before.isFile();
    } catch (error) {
      await unlink(beside).catch(() => {});
      if (['EISDIR', 'ENOTEMPTY', 'EEXIST'].includes(systemCode(error) ?? ''))
        throw new WorkbenchError(
          'refused',
          `${path.join(root, name)} is a folder where a file is expected. Delete it, and try again.`,
        );
      throw error;
    }
  });
}

/**
 * Calls `work` with a name for the file in its folder, and keeps the folder open until `work` has ended. Missing folders are created with
 * `mode`; if `mode` is null, they are not created.
 */
async function inFolder<Result>(
  root: string,
  name: string,
  mode: number | null,
  work: (place: string) => Promise<Result>,
): Promise<Result> {
  const parts = path.normalize(name).split(path.sep);
  if (path.isAbsolute(name) || parts.includes('..')) throw new Error(`${name} is not the name of a file in a folder.`);
  const file = parts.pop()!;
  let folder = await HeldFolder.open(root);
  try {
    for (const part of parts) {
      const inner = await folder.enter(part, mode);
      await folder.close();
      folder = inner;
    }
    return await work(folder.nameOf(file));
  } finally {
    await folder.close();
  }
}

async function isThere(folder: string): Promise<boolean> {
  try {
    await lstat(folder);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

class HeldFolder {
  readonly #handle: FileHandle;
  readonly #path: string;

  private constructor(handle: FileHandle, folder: string) {
    this.#handle = handle;
    this.#path = folder;
  }

  static async open(folder: string): Promise<HeldFolder> {
    return new HeldFolder(await open(folder, HOLD), folder);
  }

  /**
   * Returns a name for a file in the folder that stays valid even if the folder's path changes. On systems without `/proc`, returns the
   * path.
   */
  nameOf(file: string): string {
    return process.platform === 'linux' ? `/proc/self/fd/${this.#handle.fd}/${file}` : path.join(this.#path, file);
  }

  /** Opens a subfolder. A missing subfolder is created with `mode`; if `mode` is null, it is not created. */
  async enter(part: string, mode: number | null): Promise<HeldFolder> {
    const shown = path.join(this.#path, part);
    const name = this.nameOf(part);
    try {
      if (mode !== null)
        await mkdir(name, { mode }).catch((error: unknown) => {
          if (systemCode(error) !== 'EEXIST') throw error;
        });
      return new HeldFolder(await open(name, HOLD | O_NOFOLLOW), shown);
    } catch (error) {
      if (['ELOOP', 'ENOTDIR'].includes(systemCode(error) ?? '')) throw noFolder(shown);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

async function readRegular(place: string, shown: string, most: number, flags: number): Promise<Buffer> {
  const handle = await open(place, O_RDONLY | O_NONBLOCK | flags).catch((error: unknown) => {
    // The error means that the file is a link or a socket.
    throw ['ELOOP', 'ENXIO'].includes(systemCode(error) ?? '') ? notRegular(shown) : error;
  });
  try {
    const known = await handle.stat();
    // For a folder, the read below fails with a suitable error.
    if (!known.isFile() && !known.isDirectory()) throw notRegular(shown);
    if (known.isFile() && known.size > most) throw tooLarge(shown, known.size, most);
    return await readWhole(handle, known.size, shown, most);
  } finally {
    await handle.close();
  }
}

/** Reads up to the end of the file, because the file's size may have changed since it was determined. */
async function readWhole(handle: FileHandle, size: number, shown: string, most: number): Promise<Buffer> {
  let octets = Buffer.alloc(size + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(octets, length, octets.length - length, length);
    length += bytesRead;
    if (bytesRead === 0) return octets.subarray(0, length);
    if (length > most) throw tooLarge(shown, length, most);
    if (length === octets.length) octets = Buffer.concat([octets, Buffer.alloc(octets.length)]);
  }
}

function notRegular(shown: string): WorkbenchError {
  return new WorkbenchError('refused', `${shown} is not a regular file, so it is neither read nor written.`);
}

function tooLarge(shown: string, octets: number, most: number): WorkbenchError {
  return new WorkbenchError('too-large', `${shown} has ${octets} bytes; at most ${most} can be read.`);
}

function noFolder(shown: string): WorkbenchError {
  return new WorkbenchError(
    'refused',
    `${shown} is a link or a file where a folder is expected. Delete it, and try again.`,
  );
}
