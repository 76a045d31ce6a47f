/**
 * The person's operations on the files and folders of the project: create, move, duplicate, delete and restore. They act on names, so a
 * symbolic link itself is moved or deleted, never its target. No operation replaces an existing file, and all bytes are copied unchanged.
 */
import { randomUUID } from 'node:crypto';
import { constants, type Dirent } from 'node:fs';
import {
  access,
  chmod,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { PERSON } from '#contract/clients/known-actors.ts';
import { systemCode, WorkbenchError } from '#core/base/error.ts';
import { inHeldFolder, makeCanonicalFolder, missingFolders } from '#core/base/held-files.ts';
import { type Project, readable } from '../project.ts';
import type { Backups, FileStep, Restored } from './backups.ts';
import { freeCopyName } from './copy-name.ts';
import { withFileLock } from './file-lock.ts';
import { readProjectFile } from './files.ts';
import { moveToFree } from './move-to-free.ts';

/** Only deletions up to this size are stored for *Undo*. A larger one is only in the system's trash. */
const UNDOABLE = { bytes: 50 * 1024 * 1024, entries: 2_000 };
/** The maximum size of a file that is duplicated, in bytes. */
const LARGEST_COPY = 1024 * 1024 * 1024;

/** The canonical paths of a file or folder before and after it was moved. */
export interface MovedPath {
  readonly from: string;
  readonly to: string;
}

/**
 * The result of a deletion. `undo` identifies the backup; null if there is none, because the file is too large or special. If the system
 * has no trash, nothing is deleted, and `undoable` says whether a permanent deletion can be undone.
 */
export type Deleted =
  | { readonly deleted: true; readonly file: string; readonly undo: string | null; readonly trashed: boolean }
  | { readonly deleted: false; readonly undoable: boolean };

interface FileOperationsParts {
  readonly project: () => Project;
  readonly backups: Backups;
  /** Moves a file or folder to the system's trash, and rejects if that is not possible. */
  readonly trash: (file: string) => Promise<void>;
}

export class FileOperations {
  readonly #parts: FileOperationsParts;

  constructor(parts: FileOperationsParts) {
    this.#parts = parts;
  }

  /**
   * Creates a file with a text. Missing folders are created. Returns the canonical path.
   * @throws WorkbenchError `refused` if the name is taken or outside the project.
   */
  async create(given: string, text: string): Promise<string> {
    const file = await this.#name(given);
    await this.#make(file, given, (name) => writeFile(name, text, { flag: 'wx' }));
    return file;
  }

  /** Creates a folder, and the missing folders above it. @throws like `create`. */
  async createFolder(given: string): Promise<string> {
    const folder = await this.#name(given);
    await this.#make(folder, given, (name) => mkdir(name).then(() => {}));
    return folder;
  }

  /**
   * Moves or renames a file, a folder, or a link itself. Missing folders are created.
   * @throws WorkbenchError `refused` if the new name is taken or outside, or if a folder would be moved into itself.
   */
  async move(given: string, to: string): Promise<MovedPath> {
    const file = await this.#existing(given);
    const goal = await this.#name(to);
    if (goal === file) throw new WorkbenchError('refused', `${given} already has this name.`);
    if (goal.startsWith(file + path.sep) && (await lstat(file)).isDirectory())
      throw new WorkbenchError('refused', `${given} cannot be moved into itself. Choose another folder.`);
    await withFileLock([file, goal], () =>
      this.#make(goal, to, (place) =>
        inHeldFolder(file, async (name) =>
          (await isOtherSpelling(name, place)) ? rename(name, place) : moveToFree(name, place, to),
        ),
      ),
    );
    return { from: file, to: goal };
  }

  /**
   * Copies a file, a folder with its content, or a link itself to a free name beside it, such as `cart-copy.lisp`. Returns the canonical
   * path of the copy. Pipes, sockets and devices in a folder are not copied.
   */
  async duplicate(given: string): Promise<string> {
    const file = await this.#existing(given);
    const folder = path.dirname(file);
    const isFolder = (await lstat(file)).isDirectory();
    const copy = path.join(folder, freeCopyName(path.basename(file), new Set(await readdir(folder)), isFolder));
    await inWords(copy, () => copyTo(file, copy));
    return copy;
  }

  /**
   * Moves a file or folder to the system's trash. If the system has no trash, deletes nothing unless `permanently` is true. A link itself
   * is deleted directly, because it has no content.
   */
  async delete(given: string, permanently: boolean): Promise<Deleted> {
    const file = await this.#existing(given);
    const { backups, trash } = this.#parts;
    const steps = await stepsToDelete(file);
    const by = { id: randomUUID(), actor: PERSON.id };
    const undo = steps === null ? null : by.id;
    return withFileLock([file], async () => {
      if (permanently || (await lstat(file)).isSymbolicLink()) {
        if (steps !== null) await backups.change(by, steps);
        else await inWords(file, () => inHeldFolder(file, (name) => rm(name, { recursive: true })));
        return { deleted: true, file, undo, trashed: false };
      }
      try {
        const deed = (): Promise<void> => trash(file).catch((error: unknown) => Promise.reject(new NoTrash(error)));
        await (steps === null ? deed() : backups.deleteWith(by, steps, deed));
      } catch (error) {
        if (error instanceof NoTrash) return { deleted: false, undoable: steps !== null };
        throw error;
      }
      return { deleted: true, file, undo, trashed: true };
    });
  }

  /** Restores what a deletion removed, unless other files have taken the names. */
  restore(undo: string): Promise<Restored> {
    return this.#parts.backups.restore(undo);
  }

  /** Returns the canonical path of an existing file, folder or link itself. @throws WorkbenchError `not-found`. */
  async #existing(given: string): Promise<string> {
    const file = await this.#name(given);
    await lstat(file).catch((error: unknown) => {
      throw readable(error, file);
    });
    return file;
  }

  /** Returns the canonical path for a path relative to the project. Links in its folders are followed, and a link itself is not. */
  async #name(given: string): Promise<string> {
    if (path.isAbsolute(given) || given.split(/[/\\]/).includes('..'))
      throw new WorkbenchError('refused', `${given} is not a path inside the project. Enter one without “..”.`);
    const project = this.#parts.project();
    const file = await project.locateOwnName(given);
    if (file === project.root) throw new WorkbenchError('refused', 'The folder of the project itself is not changed.');
    return file;
  }

  /** Creates the missing folders of a name, and then the file itself. If that fails, the created folders are removed. */
  async #make(file: string, given: string, make: (name: string) => Promise<void>): Promise<void> {
    const folder = path.dirname(file);
    let made: readonly string[] = [];
    try {
      made = await missingFolders(folder);
      await makeCanonicalFolder(folder);
      await inHeldFolder(file, make);
    } catch (error) {
      for (const each of made.toReversed()) await inHeldFolder(each, (name) => rmdir(name)).catch(() => {});
      if (systemCode(error) === 'EEXIST')
        throw new WorkbenchError('refused', `${given} already exists. Choose another name.`, { cause: error });
      throw error instanceof WorkbenchError ? error : readable(error, file);
    }
  }
}

/** The error of the system's trash. */
class NoTrash extends Error {
  constructor(cause: unknown) {
    super('The system has no trash.', { cause });
  }
}

/** True if two names are spellings of one entry, on a file system that ignores letter case, so that the name can be changed to the other. */
async function isOtherSpelling(file: string, to: string): Promise<boolean> {
  const [one, other] = await Promise.all([file, to].map((name) => lstat(name).catch(() => null)));
  if (!one || !other || one.ino !== other.ino || one.dev !== other.dev) return false;
  return !(await readdir(path.dirname(to))).includes(path.basename(to));
}

async function copyTo(file: string, copy: string): Promise<void> {
  const known = await lstat(file);
  if (known.isSymbolicLink()) {
    const target = await inHeldFolder(file, (name) => readlink(name));
    return inHeldFolder(copy, (name) => symlink(target, name));
  }
  if (known.isDirectory()) {
    await inHeldFolder(copy, (name) => mkdir(name));
    try {
      for (const entry of await entriesIn(file))
        if (entry.isFile() || entry.isDirectory() || entry.isSymbolicLink())
          await copyTo(path.join(file, entry.name), path.join(copy, entry.name));
      await inHeldFolder(copy, (name) => chmod(name, known.mode & 0o7777));
    } catch (error) {
      await inHeldFolder(copy, (name) => rm(name, { recursive: true })).catch(() => {});
      throw error;
    }
    return;
  }
  const bytes = await readProjectFile(file, LARGEST_COPY);
  await inHeldFolder(copy, async (name) => {
    const handle = await open(name, 'wx'); // fails if the name is taken
    try {
      await handle.writeFile(bytes);
      await handle.chmod(known.mode & 0o7777);
    } catch (error) {
      await unlink(name).catch(() => {});
      throw error;
    } finally {
      await handle.close();
    }
  });
}

/** Returns the entries of a folder with a canonical path. @throws if it is unreadable, or has become a link. */
function entriesIn(folder: string): Promise<Dirent[]> {
  return inHeldFolder(path.join(folder, 'entry'), (name) => readdir(path.dirname(name), { withFileTypes: true }));
}

/**
 * Returns the steps that delete a file, a link or a folder with its content, in their order. Returns null if *Undo* cannot store them,
 * because they are too large or contain a file that cannot be read.
 */
async function stepsToDelete(file: string): Promise<FileStep[] | null> {
  const steps: FileStep[] = [];
  let bytes = 0;
  const add = async (place: string): Promise<boolean> => {
    const known = await lstat(place).catch(() => null);
    if (known === null) return false;
    if (known.isDirectory()) {
      const names = await readdir(place).catch(() => null);
      if (names === null) return false;
      for (const name of names) if (!(await add(path.join(place, name)))) return false;
      steps.push({ kind: 'delete', file: place, folder: true });
    } else {
      if (known.isFile()) bytes += known.size;
      else if (!known.isSymbolicLink()) return false;
      if (known.isFile() && !(await isReadable(place))) return false;
      steps.push({ kind: 'delete', file: place });
    }
    return bytes <= UNDOABLE.bytes && steps.length <= UNDOABLE.entries;
  };
  return (await add(file)) ? steps : null;
}

function isReadable(file: string): Promise<boolean> {
  return access(file, constants.R_OK).then(
    () => true,
    () => false,
  );
}

async function inWords<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof WorkbenchError ? error : readable(error, file);
  }
}
