/** Backups: the bytes of files before an approved write, move or delete, so that the change can be reverted (P6). */
import { randomUUID } from 'node:crypto';
import {
  chmod,
  lstat,
  mkdir,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '#core/base/atomic-write.ts';
import { z } from 'zod';
import type { Takeable } from '#contract/decisions/activity.ts';
import { messageOf, plural } from '#contract/text/text.ts';
import { systemCode, WorkbenchError } from '#core/base/error.ts';
import { inHeldFolder, makeCanonicalFolder, missingFolders } from '#core/base/held-files.ts';
import { Document, type StoredFile } from '#core/settings/document.ts';
import { withFileLock } from './file-lock.ts';
import { checkWritable, digestOf, readProjectFile } from './files.ts';
import { moveToFree } from './move-to-free.ts';
import { readable } from '../project.ts';

const kept = z.object({
  /** The handle of the approval, or of the call if a rule approved it. */
  id: z.string(),
  /** The id of the client that requested the change; null if it is unknown. */
  actor: z.string().nullable().default(null),
  kind: z.enum(['write', 'move', 'delete']),
  file: z.string(),
  /** The new path of the file after a move. */
  to: z.string().nullable(),
  /** Folders that were created for the change, outermost first. */
  made: z.array(z.string()).default([]),
  /** The name of the stored bytes; null if there was no file. */
  bytes: z.string().nullable(),
  mode: z.int().nullable(),
  /** The target of a moved or deleted symbolic link, as written in the link; null for a regular file. */
  link: z.string().nullable().default(null),
  /** True if the write kept the file's hard links, which means that it changed the file under all its names. */
  keepLinks: z.boolean().default(false),
  /** True for a deleted folder, which was empty at that time because its content was deleted by earlier steps. */
  folder: z.boolean().default(false),
  /** The digest of the written bytes; null for a delete. */
  after: z.string().nullable(),
  /** The name of the stored copy of the written bytes; null if nothing was written. */
  written: z.string().nullable().default(null),
  at: z.number(),
  size: z.int(),
});

const stored = z.object({ version: z.literal(1), kept: z.array(kept) });

type Backup = z.infer<typeof kept>;

/** A change of one file. Paths are canonical. For a link that is moved or deleted, the path is the link's own. */
export type FileStep =
  | {
      readonly kind: 'write';
      readonly file: string;
      readonly bytes: Buffer;
      /** True to write through all names of a file with hard links; if omitted, this name gets a separate file. */
      readonly keepLinks?: boolean;
    }
  | { readonly kind: 'move'; readonly file: string; readonly to: string }
  | {
      readonly kind: 'delete';
      readonly file: string;
      /** True for a folder. The steps before it delete its content. */
      readonly folder?: boolean;
    };

/** The handle under which a backup is stored, and the actor that requested the change. */
export type BackupOwner = Pick<Backup, 'id' | 'actor'>;

/**
 * The result of a revert. If the file has changed since the step, nothing is reverted; `texts` then contains the text before the change,
 * the written text, and the current text.
 */
export type Restored =
  | { readonly restored: true; readonly message: string }
  | {
      readonly restored: false;
      readonly message: string;
      readonly texts: { before: string | null; written: string | null; now: string | null };
    };

const MOST = 200;
const MOST_BYTES = 100 * 1024 * 1024;

export class Backups {
  readonly #folder: string | null;
  readonly #document: Document<typeof stored>;
  /** The bytes from this run, used only if nothing is stored on disk. */
  readonly #memory = new Map<string, Buffer>();

  /**
   * `folder` is the folder for the bytes, which only their owner can read; with null, the bytes stay in memory. `title` names the list in
   * messages about a damaged file.
   */
  constructor(folder: string | null, title = 'The list of changes that can be undone') {
    this.#folder = folder;
    this.#document = new Document({
      file: folder === null ? null : path.join(folder, 'kept.json'),
      schema: stored,
      initial: { version: 1, kept: [] },
      title,
      salvage: 'fields',
    });
  }

  /** The state of the file that lists the backups. */
  get list(): StoredFile {
    return this.#document;
  }

  /** Describes a revert, as the text for its button. */
  undoInWords(id: string): string {
    const files = new Set(this.#document.value.kept.filter((each) => each.id === id).map(({ file }) => file));
    return files.size > 1
      ? `Restores the previous contents of all ${files.size} files`
      : 'Restores the previous contents of the file';
  }

  has(id: string): boolean {
    return this.#document.value.kept.some((each) => each.id === id);
  }

  /** Saves a backup of a file, then writes bytes to it atomically with its mode unchanged. Missing folders are created. */
  write(by: BackupOwner, file: string, bytes: Buffer): Promise<void> {
    return this.change(by, [{ kind: 'write', file, bytes }]);
  }

  /** Moves a file, or a link itself, to an unused path. */
  move(by: BackupOwner, file: string, to: string): Promise<void> {
    return this.change(by, [{ kind: 'move', file, to }]);
  }

  /** Deletes a file, or a link itself. */
  delete(by: BackupOwner, file: string): Promise<void> {
    return this.change(by, [{ kind: 'delete', file }]);
  }

  /**
   * Makes several changes that are reverted together. If one fails, the earlier ones are reverted and its error is thrown.
   * @throws WorkbenchError of the failed change, with the names of files that could not be restored.
   */
  async change(by: BackupOwner, steps: readonly FileStep[]): Promise<void> {
    const done: Backup[] = [];
    let last: Backup | null = null;
    try {
      for (const step of steps) {
        last = await this.#entryOf(by, step);
        await this.#keep(by.id, [...done, last]);
        await perform(step);
        done.push(last);
        last = null;
      }
    } catch (error) {
      if (last) await removeMade(last);
      const lost = await this.#rollBack(done);
      await this.#drop([...done, ...(last ? [last] : [])].filter((entry) => !lost.includes(entry)));
      if (lost.length === 0) throw error;
      const files = lost.map(({ file }) => file).join(', ');
      throw new WorkbenchError(
        'system',
        `${messageOf(error)} ${files} could not be restored. Use Undo to restore them.`,
        {
          cause: error,
        },
      );
    }
  }

  /**
   * Saves backups of files, links and folders, then calls `deed`, which deletes all of them at once, as the system's trash does.
   * @throws the error of `deed`; the backups are then removed.
   */
  async deleteWith(by: BackupOwner, steps: readonly FileStep[], deed: () => Promise<void>): Promise<void> {
    const entries: Backup[] = [];
    try {
      for (const step of steps) entries.push(await this.#entryOf(by, step));
      await this.#keep(by.id, entries);
      await deed();
    } catch (error) {
      await this.#drop(entries);
      throw error;
    }
  }

  /** Reverts the completed steps, last one first. Returns the steps that could not be reverted. */
  async #rollBack(done: readonly Backup[]): Promise<Backup[]> {
    const lost: Backup[] = [];
    for (const entry of done.toReversed()) {
      try {
        await this.#putBack(entry);
      } catch {
        lost.unshift(entry);
      }
    }
    return lost;
  }

  /**
   * Returns a client's changes since a time (milliseconds since the epoch), newest first, which is also the order in which they are
   * reverted. Null returns the changes of all clients. `display` formats a path for the person.
   */
  async since(actor: string | null, at: number, display: (file: string) => string): Promise<Takeable[]> {
    const own = this.#document.value.kept
      .filter((each) => (actor === null || each.actor === actor) && each.at >= at)
      .toReversed();
    const digests = new Digests();
    const found: Takeable[] = [];
    for (const [id, entries] of byChange(own)) {
      const possible = await this.#isRevertible(entries, digests);
      found.push({ approval: id, ...wordsOf(entries, display), possible });
    }
    return found;
  }

  /** Restores the earlier content if the files have not changed since. A change can be restored only once. */
  async restore(id: string): Promise<Restored> {
    const entries = this.#document.value.kept.filter((each) => each.id === id).toReversed();
    if (entries.length === 0) throw new WorkbenchError('not-found', 'The backup no longer exists.');
    const files = new Set(entries.flatMap(({ file, to }) => [file, to ?? file]));
    return withFileLock([...files], () => this.#restore(entries));
  }

  /** `entries` are the steps of one change, the last one first. */
  async #restore(entries: readonly Backup[]): Promise<Restored> {
    const digests = new Digests();
    for (const entry of entries) {
      if (await this.#isRevertible([entry], digests)) continue;
      const place = entry.to ?? entry.file;
      const occupied = entry.to !== null && (await digests.of(entry.file)) !== null;
      const before = await this.#bytesOf(entry.bytes, entry.file);
      const now = await bytesIfAny(place).catch(() => null);
      return {
        restored: false,
        message: occupied ? `A new file exists at ${entry.file}.` : `${place} was changed after that.`,
        texts: {
          before: before?.toString('utf8') ?? null,
          written: (await this.#bytesOf(entry.written, entry.file))?.toString('utf8') ?? null,
          now: now?.toString('utf8') ?? null,
        },
      };
    }
    for (const entry of entries) {
      await this.#putBack(entry);
      await this.#drop([entry]);
    }
    const [only, ...others] = entries as [Backup, ...Backup[]];
    const message =
      others.length === 0
        ? restoredInWords(only)
        : `${plural(new Set(entries.map(({ file }) => file)).size, 'file')} were restored.`;
    return { restored: true, message };
  }

  /**
   * Returns true if each file is unchanged since the step. `digests` represents the files after the revert of earlier changes in the list.
   */
  async #isRevertible(entries: readonly Backup[], digests: Digests): Promise<boolean> {
    for (const entry of entries) {
      const present = await digests.of(entry.to ?? entry.file);
      if (present !== entry.after && !(entry.folder && present === FOLDER)) return false;
      if (entry.to !== null && (await digests.of(entry.file)) !== null) return false;
      const before = await this.#bytesOf(entry.bytes, entry.file);
      if (entry.to !== null) digests.set(entry.to, null);
      const restored = entry.link === null ? before && digestOf(before) : linkDigest(entry.link);
      digests.set(entry.file, entry.folder ? FOLDER : restored);
    }
    return true;
  }

  async #putBack(entry: Backup): Promise<void> {
    const { file, to, mode, link: target } = entry;
    const before = await this.#bytesOf(entry.bytes, file);
    await guarded(file, async () => {
      if (to !== null || before !== null || target !== null) await makeCanonicalFolder(path.dirname(file));
      if (entry.folder) await restoreFolder(entry);
      else if (to !== null) await inHeldFolder(to, (from) => inHeldFolder(file, (goal) => rename(from, goal)));
      else if (target !== null) await inHeldFolder(file, (name) => symlink(target, name));
      else if (before === null) await inHeldFolder(file, (name) => unlink(name));
      else {
        const options = {
          follow: false,
          keepLinks: entry.keepLinks,
          ...(mode === null ? {} : { mode: mode & 0o7777 }),
        };
        await inHeldFolder(file, (name) => writeFileAtomic(name, before, options));
      }
      await removeMade(entry);
    });
  }

  settled(): Promise<void> {
    return this.#document.settled();
  }

  async #entryOf(by: BackupOwner, step: FileStep): Promise<Backup> {
    const { kind, file } = step;
    const to = step.kind === 'move' ? step.to : null;
    const written = step.kind === 'write' ? step.bytes : null;
    const folder = step.kind === 'delete' && step.folder === true;
    const target = step.kind === 'write' ? null : await linkTarget(file);
    const bytes = target === null && !folder ? await bytesIfAny(file) : null;
    if (kind !== 'write' && target === null && bytes === null && !folder)
      throw new WorkbenchError('not-found', `${file} does not exist.`);
    const made = kind === 'delete' ? [] : await guarded(file, () => missingFolders(path.dirname(to ?? file)));
    const moved = target === null ? bytes && digestOf(bytes) : linkDigest(target);
    return {
      ...by,
      kind,
      file,
      to,
      made,
      link: target,
      folder,
      keepLinks: step.kind === 'write' && step.keepLinks === true,
      after: kind === 'delete' ? null : written === null ? moved : digestOf(written),
      bytes: await this.#store(bytes),
      written: await this.#store(written),
      mode: bytes === null && !folder ? null : (await guarded(file, () => stat(file))).mode,
      at: Date.now(),
      size: (bytes?.length ?? 0) + (written?.length ?? 0),
    };
  }

  /** Adds the entries of a change to the list, before the last of them is performed. */
  async #keep(id: string, entries: readonly Backup[]): Promise<void> {
    const all = [...this.#document.value.kept.filter((each) => each.id !== id), ...entries];
    const old = tooMany(all);
    await this.#makeFolder(); // links and folders have no bytes, for which it would be created
    // Added and removed entries are written together, because each write replaces the whole list.
    await this.#document.write({ version: 1, kept: all.filter((each) => !old.includes(each)) });
    await this.#remove(old);
  }

  /** Stores bytes and returns the name under which they are stored; null for no bytes. */
  async #store(bytes: Buffer | null): Promise<string | null> {
    if (bytes === null) return null;
    const name = randomUUID();
    await this.#makeFolder();
    if (this.#folder === null) this.#memory.set(name, bytes);
    else await writeFile(path.join(this.#folder, name), bytes, { mode: 0o600 });
    return name;
  }

  async #makeFolder(): Promise<void> {
    if (this.#folder !== null) await mkdir(this.#folder, { recursive: true, mode: 0o700 });
  }

  async #drop(entries: readonly Backup[]): Promise<void> {
    if (entries.length === 0) return;
    const rest = this.#document.value.kept.filter((each) => !entries.includes(each));
    await this.#document.write({ version: 1, kept: rest });
    await this.#remove(entries);
  }

  /** Deletes the bytes of entries that are not in the list any more. */
  async #remove(entries: readonly Backup[]): Promise<void> {
    for (const name of entries.flatMap(({ bytes, written }) => [bytes ?? [], written ?? []].flat())) {
      this.#memory.delete(name);
      if (this.#folder !== null) await rm(path.join(this.#folder, name), { force: true });
    }
  }

  async #bytesOf(name: string | null, file: string): Promise<Buffer | null> {
    if (name === null) return null;
    if (this.#folder === null) return this.#memory.get(name) ?? null;
    return guarded(file, () => readFile(path.join(this.#folder!, name)));
  }
}

/** Returns the oldest changes that exceed the limits. The newest change always stays complete. */
function tooMany(entries: readonly Backup[]): Backup[] {
  let [count, size] = [0, 0];
  const dropped: Backup[] = [];
  for (const [id, steps] of byChange(entries.toReversed())) {
    count += steps.length;
    size += steps.reduce((sum, step) => sum + step.size, 0);
    if (id !== entries.at(-1)?.id && (count > MOST || size > MOST_BYTES)) dropped.push(...steps);
  }
  return dropped;
}

function byChange(entries: readonly Backup[]): Map<string, Backup[]> {
  const changes = new Map<string, Backup[]>();
  for (const entry of entries) changes.set(entry.id, [...(changes.get(entry.id) ?? []), entry]);
  return changes;
}

/** Digests of files, updated with the results of simulated reverts. */
class Digests {
  readonly #known = new Map<string, string | null>();

  async of(file: string): Promise<string | null> {
    return this.#known.has(file) ? this.#known.get(file)! : digestOfAny(file);
  }

  set(file: string, digest: string | null): void {
    this.#known.set(file, digest);
  }
}

async function perform(step: FileStep): Promise<void> {
  const { file } = step;
  await guarded(file, async () => {
    if (step.kind === 'delete') return inHeldFolder(file, (name) => (step.folder ? rmdir(name) : unlink(name)));
    if (step.kind === 'move') {
      await makeCanonicalFolder(path.dirname(step.to));
      return inHeldFolder(file, (from) => inHeldFolder(step.to, (goal) => moveToFree(from, goal, step.to)));
    }
    await checkWritable(file);
    await makeCanonicalFolder(path.dirname(file));
    return inHeldFolder(file, (name) =>
      writeFileAtomic(name, step.bytes, { follow: false, keepLinks: step.keepLinks ?? false }),
    );
  });
}

/** Creates a deleted folder again. A folder that exists by now stays as it is. */
async function restoreFolder({ file, mode }: Backup): Promise<void> {
  await makeCanonicalFolder(path.dirname(file));
  await inHeldFolder(file, async (name) => {
    try {
      await mkdir(name);
      if (mode !== null) await chmod(name, mode & 0o7777);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  });
}

/** Removes the folders that were created for a change, unless they now contain other files. */
async function removeMade({ made }: Backup): Promise<void> {
  for (const folder of made.toReversed()) await inHeldFolder(folder, (name) => rmdir(name)).catch(() => {});
}

/** Returns the target of a symbolic link, as written in the link; null if the file is not a link. */
async function linkTarget(file: string): Promise<string | null> {
  return inHeldFolder(file, (name) => readlink(name)).catch(() => null);
}

function linkDigest(target: string): string {
  return digestOf(`link to ${target}`);
}

/** Describes the paths of a change and the effect of reverting it. `entries` are its steps, the last one first. */
function wordsOf(entries: readonly Backup[], display: (file: string) => string): Pick<Takeable, 'file' | 'becomes'> {
  const [only, ...others] = entries as [Backup, ...Backup[]];
  if (others.length === 0) return { file: display(only.file), becomes: becomesInWords(only, display) };
  const files = [...new Set(entries.map(({ file }) => file))].toReversed();
  const becomes = files.length === 1 ? 'is restored' : 'are restored';
  return { file: files.map(display).join(', '), becomes };
}

function becomesInWords({ kind, to, bytes }: Backup, display: (file: string) => string): string {
  if (kind === 'move') return `is moved back from ${display(to!)}`;
  if (kind === 'delete') return 'is restored';
  return bytes === null ? 'is deleted, because it was new' : 'is restored';
}

async function bytesIfAny(file: string): Promise<Buffer | null> {
  try {
    return await readProjectFile(file, Infinity);
  } catch (error) {
    if (error instanceof WorkbenchError && systemCode(error.cause) === 'ENOENT') return null;
    throw error;
  }
}

/** Stands for the digests of folders, and of files that cannot be read. They equal no digest of bytes, so nothing replaces these files. */
const FOLDER = 'folder';
const UNREADABLE = 'unreadable';

async function digestOfAny(file: string): Promise<string | null> {
  const target = await linkTarget(file);
  if (target !== null) return linkDigest(target);
  const bytes = await readProjectFile(file, Infinity).catch(() => null);
  if (bytes !== null) return digestOf(bytes);
  const present = await lstat(file).catch(() => null);
  return present && (present.isDirectory() ? FOLDER : UNREADABLE);
}

function restoredInWords({ kind, file, to, bytes }: Backup): string {
  if (kind === 'move') return `${to} was moved back to ${file}.`;
  if (kind === 'delete') return `${file} was restored.`;
  return bytes === null ? `The new file ${file} was deleted.` : `${file} was restored.`;
}

async function guarded<Value>(file: string, act: () => Promise<Value>): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof WorkbenchError ? error : readable(error, file);
  }
}
