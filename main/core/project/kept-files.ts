/** What files were before an approved write, move or delete, so that it can be taken back (P6). */
import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import type { Takeable } from '#contract/activity.ts';
import { systemCode, WorkbenchError } from '#core/error.ts';
import { Document, type Kept } from '#core/settings/document.ts';
import { checkWritable, digestOf } from './files.ts';
import { readable } from './project.ts';

const kept = z.object({
  /** Handle of the approval, or of the call where a rule approved it. */
  id: z.string(),
  /** Id of the client that asked; null where that is not known. */
  actor: z.string().nullable().default(null),
  kind: z.enum(['write', 'move', 'delete']),
  file: z.string(),
  /** Where the file went, for a move. */
  to: z.string().nullable(),
  /** Name of the kept bytes; null when there was no file. */
  bytes: z.string().nullable(),
  mode: z.int().nullable(),
  /** Digest of what was written; null for a delete. */
  after: z.string().nullable(),
  /** Name of the bytes that were written; null where nothing was. */
  written: z.string().nullable().default(null),
  at: z.number(),
  size: z.int(),
});

const stored = z.object({ version: z.literal(1), kept: z.array(kept) });

type KeptFile = z.infer<typeof kept>;

/** Under which handle something is kept, and who had asked for it. */
export type KeptFor = Pick<KeptFile, 'id' | 'actor'>;

/** What became of taking something back. `texts`: the file changed meanwhile, so nothing was done; it before, as it was written, and now. */
export type Restored =
  | { readonly restored: true; readonly message: string }
  | {
      readonly restored: false;
      readonly message: string;
      readonly texts: { before: string | null; written: string | null; now: string | null };
    };

const MOST = 200;
const MOST_BYTES = 100 * 1024 * 1024;

export class KeptFiles {
  readonly #folder: string | null;
  readonly #document: Document<typeof stored>;
  /** Bytes of this run alone, where nothing is kept on disk. */
  readonly #memory = new Map<string, Buffer>();

  /** `folder`: where bytes are kept, readable by their owner alone; null keeps them in memory. */
  constructor(folder: string | null) {
    this.#folder = folder;
    this.#document = new Document({
      file: folder === null ? null : path.join(folder, 'kept.json'),
      schema: stored,
      initial: { version: 1, kept: [] },
      title: 'The list of what can be taken back',
      salvage: 'fields',
    });
  }

  /** How the file stands in which it is listed what is kept. */
  get list(): Kept {
    return this.#document;
  }

  has(id: string): boolean {
    return this.#document.value.kept.some((each) => each.id === id);
  }

  /** Writes bytes to a file atomically, its mode kept, after its bytes of before are. Folders on the way are made. */
  async write(by: KeptFor, file: string, bytes: Buffer): Promise<void> {
    await this.#keep({ ...by, kind: 'write', file, to: null, after: digestOf(bytes) }, bytes);
    await guarded(file, async () => {
      await checkWritable(file);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFileAtomic(file, bytes);
    });
  }

  /** Moves a file to a place where none is. */
  async move(by: KeptFor, file: string, to: string): Promise<void> {
    const bytes = await guarded(file, () => readFile(file));
    await this.#keep({ ...by, kind: 'move', file, to, after: digestOf(bytes) });
    await guarded(file, async () => {
      await mkdir(path.dirname(to), { recursive: true });
      await renameToFree(file, to);
    });
  }

  async delete(by: KeptFor, file: string): Promise<void> {
    await this.#keep({ ...by, kind: 'delete', file, to: null, after: null });
    await guarded(file, () => unlink(file));
  }

  /**
   * What this client did since a time (milliseconds since the epoch), newest first: the order in which it is taken back.
   * `display` gives a path as the person knows it.
   */
  async since(actor: string, at: number, display: (file: string) => string): Promise<Takeable[]> {
    const own = this.#document.value.kept.filter((each) => each.actor === actor && each.at >= at).toReversed();
    /** Digests of files as they are once those before in the list are taken back. */
    const then = new Map<string, string | null>();
    const found: Takeable[] = [];
    for (const entry of own) {
      const place = entry.to ?? entry.file;
      const now = then.has(place) ? then.get(place)! : await digestOfAny(place);
      const before = await this.#bytesOf(entry.bytes, entry.file);
      const possible = now === entry.after;
      if (possible && entry.to !== null) then.set(entry.to, null);
      if (possible) then.set(entry.file, before && digestOf(before));
      found.push({ approval: entry.id, file: display(entry.file), becomes: becomesInWords(entry, display), possible });
    }
    return found;
  }

  /** Puts back what was before, when the file is still as it was written. Can be done once. */
  async restore(id: string): Promise<Restored> {
    const entry = this.#document.value.kept.find((each) => each.id === id);
    if (!entry) throw new WorkbenchError('not-found', 'What was before is not kept any more.');
    const place = entry.to ?? entry.file;
    const now = await readFile(place).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return null;
      throw readable(error, place);
    });
    const before = await this.#bytesOf(entry.bytes, entry.file);
    const occupied = entry.to !== null && (await lstat(entry.file).catch(() => null)) !== null;
    if ((now === null ? null : digestOf(now)) !== entry.after || occupied) {
      return {
        restored: false,
        message: occupied ? `There is a file at ${entry.file} again.` : `${place} was changed after that.`,
        texts: {
          before: before?.toString('utf8') ?? null,
          written: (await this.#bytesOf(entry.written, entry.file))?.toString('utf8') ?? null,
          now: now?.toString('utf8') ?? null,
        },
      };
    }
    await guarded(entry.file, async () => {
      if (entry.to !== null) await rename(entry.to, entry.file);
      else if (before === null) await unlink(entry.file);
      else {
        await mkdir(path.dirname(entry.file), { recursive: true });
        await writeFileAtomic(entry.file, before, entry.mode === null ? {} : { mode: entry.mode & 0o7777 });
      }
    });
    await this.#drop([entry]);
    return { restored: true, message: restoredInWords(entry) };
  }

  settled(): Promise<void> {
    return this.#document.settled();
  }

  async #keep(
    what: Pick<KeptFile, 'id' | 'actor' | 'kind' | 'file' | 'to' | 'after'>,
    written: Buffer | null = null,
  ): Promise<void> {
    const { file } = what;
    const bytes = await readFile(file).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return null;
      throw readable(error, file);
    });
    const mode = bytes === null ? null : (await stat(file)).mode;
    if (this.#folder !== null) await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const entry: KeptFile = {
      ...what,
      bytes: await this.#store(bytes),
      written: await this.#store(written),
      mode,
      at: Date.now(),
      size: (bytes?.length ?? 0) + (written?.length ?? 0),
    };
    const others = this.#document.value.kept.filter(({ id }) => id !== what.id);
    await this.#document.write({ version: 1, kept: [...others, entry] });
    await this.#drop(tooMany(this.#document.value.kept));
  }

  /** The name under which bytes are kept; null for none. */
  async #store(bytes: Buffer | null): Promise<string | null> {
    if (bytes === null) return null;
    const name = randomUUID();
    if (this.#folder === null) this.#memory.set(name, bytes);
    else await writeFile(path.join(this.#folder, name), bytes, { mode: 0o600 });
    return name;
  }

  async #drop(entries: readonly KeptFile[]): Promise<void> {
    if (entries.length === 0) return;
    const rest = this.#document.value.kept.filter((each) => !entries.includes(each));
    await this.#document.write({ version: 1, kept: rest });
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

/** The oldest that go beyond the bounds; the newest always stays. */
function tooMany(entries: readonly KeptFile[]): KeptFile[] {
  let [count, size] = [0, 0];
  const dropped: KeptFile[] = [];
  for (const entry of entries.toReversed()) {
    count += 1;
    size += entry.size;
    if (count > 1 && (count > MOST || size > MOST_BYTES)) dropped.push(entry);
  }
  return dropped;
}

function becomesInWords({ kind, to, bytes }: KeptFile, display: (file: string) => string): string {
  if (kind === 'move') return `comes back from ${display(to!)}`;
  if (kind === 'delete') return 'is there again';
  return bytes === null ? 'is deleted, for it was new' : 'becomes what it was before';
}

async function digestOfAny(file: string): Promise<string | null> {
  const bytes = await readFile(file).catch(() => null);
  return bytes && digestOf(bytes);
}

function restoredInWords({ kind, file, to, bytes }: KeptFile): string {
  if (kind === 'move') return `${to} is ${file} again.`;
  if (kind === 'delete') return `${file} is there again.`;
  return bytes === null ? `${file}, which was new, is deleted.` : `${file} is as it was before.`;
}

/** A rename replaces what is there; a link does not. @throws WorkbenchError `refused` when the place is taken. */
async function renameToFree(file: string, to: string): Promise<void> {
  const taken = new WorkbenchError('refused', `${to} exists already.`);
  try {
    await link(file, to);
    await unlink(file);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw taken;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EXDEV'].includes(systemCode(error) ?? '')) throw error;
    if (await lstat(to).catch(() => null)) throw taken; // a file system without links
    await rename(file, to);
  }
}

async function guarded<Value>(file: string, act: () => Promise<Value>): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof WorkbenchError ? error : readable(error, file);
  }
}
