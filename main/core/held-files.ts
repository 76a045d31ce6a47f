/**
 * Reads and writes files in a folder that confined code can write. Such code can exchange each of its files and folders for a link, a pipe or a device at any
 * moment, and the workbench has rights that the code has not. So every folder on the way is opened without following links and held by its descriptor, only
 * regular files are read, and a written file takes its place by a rename, which replaces a link and does not follow it.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { systemCode, WorkbenchError } from './error.ts';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/**
 * Reads a file. `root`: a folder whose own place the code cannot change; `name`: relative to it. Resolves with null where there is no such file.
 * @throws WorkbenchError `refused` where a link is on the way or the file is not a regular one, `too-large` where it has more than `most` octets; errors of
 * the system.
 */
export async function readHeldFile(root: string, name: string, most: number): Promise<string | null> {
  try {
    return await inFolder(root, name, false, (place) => readRegular(place, path.join(root, name), most));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Writes a file that only the person can read, with the folders on the way to it, which are made where they are missing. A link or a pipe of its name is
 * replaced. The arguments are those of `readHeldFile`.
 * @throws WorkbenchError `refused` where a folder on the way is a link; errors of the system. The file is as it was then.
 */
export async function writeHeldFile(root: string, name: string, text: string): Promise<void> {
  await inFolder(root, name, true, async (place) => {
    const beside = path.join(path.dirname(place), `.${randomBytes(6).toString('hex')}.tmp`);
    try {
      const handle = await open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
      try {
        await handle.writeFile(text);
      } finally {
        await handle.close();
      }
      await rename(beside, place);
    } catch (error) {
      await unlink(beside).catch(() => {});
      throw error;
    }
  });
}

/** Runs `work` with a name of the file in the folder that is held meanwhile. */
async function inFolder<Result>(
  root: string,
  name: string,
  makes: boolean,
  work: (place: string) => Promise<Result>,
): Promise<Result> {
  const parts = path.normalize(name).split(path.sep);
  if (path.isAbsolute(name) || parts.includes('..')) throw new Error(`${name} is not a name within a folder.`);
  const file = parts.pop()!;
  let folder = await HeldFolder.open(root);
  try {
    for (const part of parts) {
      const inner = await folder.enter(part, makes);
      await folder.close();
      folder = inner;
    }
    return await work(folder.nameOf(file));
  } finally {
    await folder.close();
  }
}

class HeldFolder {
  readonly #handle: FileHandle;
  readonly #path: string;

  private constructor(handle: FileHandle, folder: string) {
    this.#handle = handle;
    this.#path = folder;
  }

  static async open(folder: string, flags = 0): Promise<HeldFolder> {
    return new HeldFolder(await open(folder, O_RDONLY | O_DIRECTORY | flags), folder);
  }

  /** A name of a file in it that goes past its path. Systems without `/proc` have none: there it is the path. */
  nameOf(file: string): string {
    return process.platform === 'linux' ? `/proc/self/fd/${this.#handle.fd}/${file}` : path.join(this.#path, file);
  }

  async enter(part: string, makes: boolean): Promise<HeldFolder> {
    const shown = path.join(this.#path, part);
    const name = this.nameOf(part);
    try {
      if (makes)
        await mkdir(name, { mode: 0o700 }).catch((error: unknown) => {
          if (systemCode(error) !== 'EEXIST') throw error;
        });
      return new HeldFolder(await open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), shown);
    } catch (error) {
      if (['ELOOP', 'ENOTDIR'].includes(systemCode(error) ?? '')) throw noFolder(shown);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

async function readRegular(place: string, shown: string, most: number): Promise<string> {
  const refused = (): WorkbenchError =>
    new WorkbenchError('refused', `${shown} is not a regular file, so it was not read. Delete it, and try again.`);
  // A device or a pipe may do something when it is opened: it is looked at before, and again by its descriptor.
  if (!(await lstat(place)).isFile()) throw refused();
  const handle = await open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    throw systemCode(error) === 'ELOOP' ? refused() : error;
  });
  try {
    const known = await handle.stat();
    if (!known.isFile()) throw refused();
    if (known.size > most) throw new WorkbenchError('too-large', `${shown} has more than ${most} octets.`);
    // One more than allowed: it may grow while it is read.
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(most + 1), 0, most + 1, 0);
    if (bytesRead > most) throw new WorkbenchError('too-large', `${shown} has more than ${most} octets.`);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

function noFolder(shown: string): WorkbenchError {
  return new WorkbenchError(
    'refused',
    `${shown} is a link or a file where a folder is expected. Delete it, and try again.`,
  );
}
