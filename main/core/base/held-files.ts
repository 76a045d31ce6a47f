/**
 * Reads and writes files where code can write that is less trusted than the workbench: in projects, and in the homes of agents. Such code can exchange a file
 * or a folder for a link, a pipe or a device at any moment, and the workbench has rights that the code has not. So folders are held by their descriptors while
 * a file in them is worked on, only regular files are read, and a written file takes its place by a rename, which replaces a link and does not follow it.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { systemCode, WorkbenchError } from './error.ts';

/** Holds a folder, also one that may be entered and not read: by `O_PATH` of Linux, which Node has no name for. */
const HOLD = constants.O_DIRECTORY | (process.platform === 'linux' ? 0o10000000 : constants.O_RDONLY);

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/**
 * Reads a regular file, also through a link: one that the person names, or that no code can exchange.
 * @throws WorkbenchError `refused` for a pipe, device or socket, `too-large` for more than `most` octets; errors of the system.
 */
export function readRegularFile(file: string, most: number): Promise<Buffer> {
  return readRegular(file, file, most, 0);
}

/** Reads a regular file as `readRegularFile` does, but no link, where something waits for it. */
export function readRegularFileSync(file: string, most: number): Buffer {
  return readWith(file, most, (octets) => Buffer.from(octets));
}

/** Where files are read whose octets nobody keeps: to make room for each takes as long as to read a small one. */
const SHARED = Buffer.alloc(256 * 1024);

/** Returns what `take` makes of the octets of a regular file, which are its own no longer than that. @throws as `readRegularFileSync`. */
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
 * Runs `work` with a name of the file that stays in its folder, whatever becomes of the path meanwhile. `file`: a canonical path;
 * its folder exists. Systems without `/proc` have no such name: there it is the path.
 * @throws WorkbenchError `refused` when the path leads to another folder by now; errors of the system.
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

/** Reads a regular file of a canonical path: neither it nor its folder may be a link by now. @throws as `inHeldFolder` and `readRegularFile`. */
export function readCanonicalFile(file: string, most: number): Promise<Buffer> {
  return inHeldFolder(file, (name) => readRegular(name, file, most, O_NOFOLLOW));
}

/**
 * Reads regular files of one folder of a canonical path, which is held once for all of them: for many small files, where the way of each
 * through another thread takes longer than its reading. Returns what `take` makes of the octets of each, which are valid in that call only;
 * null for what is no regular file or cannot be read. Nothing else runs meanwhile, so callers ask for few files at a time.
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
 * Runs `work` at once with a name of the folder, as `inHeldFolder` does. Many small steps are done sooner without other threads.
 * @throws as `inHeldFolder`.
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
  return new WorkbenchError('refused', `${folder} was replaced by a link in this moment. Nothing was read or changed.`);
}

function readOrNull<Result>(file: string, most: number, take: (octets: Buffer) => Result): Result | 'too large' | null {
  try {
    return readWith(file, most, take);
  } catch (error) {
    return error instanceof WorkbenchError && error.code === 'too-large' ? 'too large' : null;
  }
}

/** Makes the folders of a canonical path that are missing, through no link. @throws WorkbenchError `refused` where one is on the way; errors of the system. */
export async function makeCanonicalFolder(folder: string): Promise<void> {
  const [first] = await missingFolders(folder);
  if (first === undefined) return;
  const below = path.relative(path.dirname(first), folder);
  await inHeldFolder(first, (name) =>
    inFolder(path.dirname(name), path.join(below, 'file'), 0o777, () => Promise.resolve()),
  );
}

/** Resolves with the folders of a path that are missing, the outermost first. */
export async function missingFolders(folder: string): Promise<string[]> {
  const { root } = path.parse(folder);
  const missing: string[] = [];
  for (let place = folder; place !== root && !(await isThere(place)); place = path.dirname(place))
    missing.unshift(place);
  return missing;
}

/**
 * Reads a text file. `root`: a folder whose own place the code cannot change; `name`: relative to it. Resolves with null where there is no such file.
 * @throws WorkbenchError `refused` where a link is on the way or the file is not a regular one, `too-large` where it has more than `most` octets; errors of
 * the system.
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
 * Writes a file that only the person can read, with the folders on the way to it, which are made where they are missing. The arguments are those of
 * `readHeldFile`. Resolves with true where a link, a pipe or something else of its name, which is no regular file, was replaced.
 * @throws WorkbenchError `refused` where a folder on the way is a link; errors of the system. The file is as it was then.
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

/** Runs `work` with a name of the file in the folder that is held meanwhile. Missing folders are made with `mode`; null makes none. */
async function inFolder<Result>(
  root: string,
  name: string,
  mode: number | null,
  work: (place: string) => Promise<Result>,
): Promise<Result> {
  const parts = path.normalize(name).split(path.sep);
  if (path.isAbsolute(name) || parts.includes('..')) throw new Error(`${name} is not a name within a folder.`);
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

  /** A name of a file in it that goes past its path. Systems without `/proc` have none: there it is the path. */
  nameOf(file: string): string {
    return process.platform === 'linux' ? `/proc/self/fd/${this.#handle.fd}/${file}` : path.join(this.#path, file);
  }

  /** Enters a folder in it, which is made with `mode` where it is missing; null makes none. */
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
    // A link, or a socket.
    throw ['ELOOP', 'ENXIO'].includes(systemCode(error) ?? '') ? notRegular(shown) : error;
  });
  try {
    const known = await handle.stat();
    // Reading a folder fails by itself.
    if (!known.isFile() && !known.isDirectory()) throw notRegular(shown);
    if (known.isFile() && known.size > most) throw tooLarge(shown, known.size, most);
    return await readWhole(handle, known.size, shown, most);
  } finally {
    await handle.close();
  }
}

/** Reads until the end, which may have moved since the size was told. */
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
