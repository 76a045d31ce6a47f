/**
 * A JSON file with a schema. It is read once and written atomically, so that a crash cannot destroy it. A failed write is retried until it
 * succeeds; until then, `failure` says why. A damaged file is set aside. An unreadable file is never overwritten.
 */
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { writeFileAtomic } from '#core/base/atomic-write.ts';
import { z } from 'zod';
import { Emitter } from '#core/base/emitter.ts';
import { messageOf, systemCode, WorkbenchError } from '#core/base/error.ts';
import { digestOf, Reserve } from './disk-reserve.ts';
import { salvage } from './salvage.ts';

export interface DocumentOptions<Schema extends z.ZodType> {
  /** Absolute path of the file; null keeps the document only in memory. */
  readonly file: string | null;
  readonly schema: Schema;
  readonly initial: z.output<Schema>;
  /** The name of the content, in the plural, as in "Your settings cannot be written". */
  readonly title: string;
  /**
   * If a value does not fit the schema, only its field or its list element is discarded. If this is omitted, the whole document is
   * discarded.
   */
  readonly salvage?: 'fields' | 'fields of any version';
  /** True if disk space is reserved, so that a change survives a full disk and a sudden end. */
  readonly reserve?: boolean;
  /**
   * If the file could not be read at first, it is read as soon as possible. False turns this off, for a file whose content would then be
   * too late to be useful.
   */
  readonly late?: boolean;
}

/** The state of a stored file, for code that reports it to the person. */
export type StoredFile = Pick<Document<z.ZodType>, 'problem' | 'failure' | 'events'>;

interface Loaded<Value> {
  readonly value: Value;
  readonly problem: string | null;
  /** True if the file exists and could not be read. */
  readonly unread: boolean;
  /** Fields whose stored values are unknown. */
  readonly lost: readonly string[] | 'all';
  /** The path to which a damaged file must still be copied; null if there is no such file. */
  readonly copyTo: string | null;
  readonly digest: string;
}

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 10_000;
/** The shortest interval, in milliseconds, between attempts to read an unreadable file again. */
const LOOK_AGAIN_MS = 1_000;

export class Document<Schema extends z.ZodType> {
  /** `failure` is the reason why writing failed; null when writing works again. */
  readonly events = new Emitter<{ failure: string | null }>();
  readonly #options: DocumentOptions<Schema>;
  readonly #reserve: Reserve | null;
  #loaded: Loaded<z.output<Schema>>;
  #value: z.output<Schema>;
  #looked = performance.now();
  /** The number of the latest value. Values up to the number `#stored` are on disk. */
  #version = 0;
  #stored = 0;
  #writing: Promise<void> = Promise.resolve();
  #failure: string | null = null;
  #retryMs = FIRST_RETRY_MS;
  #retry: NodeJS.Timeout | null = null;

  constructor(options: DocumentOptions<Schema>) {
    this.#options = options;
    const { file, reserve } = options;
    this.#reserve = file !== null && reserve ? new Reserve(file) : null;
    this.#loaded = load(options, this.#reserve);
    this.#value = this.#loaded.value;
    if (this.#loaded.unread || !this.#reserve) return;
    if (this.#reserve.read(this.#loaded.digest) === null) this.#reserve.prepare(this.#text().length);
    else this.keep(this.#value).catch(() => {}); // reported by `failure`
  }

  get value(): z.output<Schema> {
    if (this.#loaded.unread) this.#lookAgain();
    return this.#value;
  }

  /** The reason why the stored file could not be used, or could be used only in part. A damaged file was saved beside the new one. */
  get problem(): string | null {
    return this.#loaded.problem;
  }

  /** The reason why the newest value is not on disk; null if it is on disk. Writing is retried automatically. */
  get failure(): string | null {
    return this.#failure;
  }

  /** Returns true if this field of the stored document could be read, which means that its value is the intended one. */
  knows(field: string): boolean {
    if (this.#loaded.unread) this.#lookAgain();
    const { lost } = this.#loaded;
    return lost !== 'all' && !lost.includes(field);
  }

  /**
   * Uses the new value at once and resolves when it, or a newer one, is on disk. Rejects if the first attempt fails, but the write is
   * retried anyway.
   * @throws WorkbenchError `system`, without using the value, if the existing file could not be read.
   */
  write(value: z.output<Schema>): Promise<void> {
    if (this.#loaded.unread) return Promise.reject(this.#refusal());
    this.#value = value;
    const version = (this.#version += 1);
    return this.#store(version);
  }

  /** Writes like `write`, but resolves even if the value cannot be written now: `failure` says why, and the write is retried. */
  async keep(value: z.output<Schema>): Promise<void> {
    if (this.#loaded.unread) throw this.#refusal();
    await this.write(value).catch(() => {});
  }

  /** Resolves when everything written so far is on disk, or another attempt to write it has failed. */
  settled(): Promise<void> {
    if (this.#retry) clearTimeout(this.#retry);
    this.#retry = null;
    return this.#stored < this.#version ? this.#store(this.#version).catch(() => {}) : this.#writing;
  }

  #store(version: number): Promise<void> {
    const stored = this.#writing.then(() => this.#attempt(version));
    this.#writing = stored.catch(() => {});
    return stored;
  }

  async #attempt(wanted: number): Promise<void> {
    if (this.#stored >= wanted) return;
    const { file } = this.#options;
    const version = this.#version;
    const text = this.#text();
    try {
      if (file !== null) {
        this.#setAside(file);
        await writeFileAtomic(file, text, { mode: 0o600 });
      }
    } catch (error) {
      this.#fail(error, text);
      throw error;
    }
    this.#stored = version;
    this.#loaded = { ...this.#loaded, digest: digestOf(Buffer.from(text, 'utf8')) };
    this.#reserve?.release();
    this.#reserve?.prepare(text.length);
    this.#retryMs = FIRST_RETRY_MS;
    this.#tell(null);
  }

  /** Copies a damaged file before it is overwritten. */
  #setAside(file: string): void {
    const { copyTo } = this.#loaded;
    if (copyTo === null) return;
    if (existsSync(file)) copyFileSync(file, copyTo);
    this.#loaded = { ...this.#loaded, copyTo: null };
  }

  #fail(error: unknown, text: string): void {
    const held = this.#reserve?.hold(text, this.#loaded.digest) ?? false;
    const kept = held
      ? 'Your change is saved in a reserved file, so a crash does not lose it.'
      : 'Changes since then apply only until the program ends.';
    this.#tell(
      `${this.#options.title} cannot be written (${this.#options.file}: ${reasonOf(error)}). ${kept} ${remedyOf(error)}`,
    );
    this.#retry ??= setTimeout(() => void this.settled(), this.#retryMs).unref();
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
  }

  #tell(failure: string | null): void {
    if (failure === this.#failure) return;
    this.#failure = failure;
    this.events.emit('failure', failure);
  }

  #refusal(): WorkbenchError {
    const refusal = new WorkbenchError(
      'system',
      `${this.#loaded.problem} The file is not overwritten, so ${lower(this.#options.title)} cannot be changed.`,
    );
    this.#tell(refusal.message);
    return refusal;
  }

  #lookAgain(): void {
    if (this.#options.late === false || performance.now() - this.#looked < LOOK_AGAIN_MS) return;
    this.#looked = performance.now();
    const loaded = load(this.#options, this.#reserve);
    if (loaded.unread) return;
    this.#loaded = loaded;
    this.#value = loaded.value;
    this.#tell(null);
  }

  #text(): string {
    return `${JSON.stringify(this.#value, null, 2)}\n`;
  }
}

function load<Schema extends z.ZodType>(
  options: DocumentOptions<Schema>,
  reserve: Reserve | null,
): Loaded<z.output<Schema>> {
  const { file, schema, initial, title } = options;
  const first = { value: initial, problem: null, unread: false, lost: [], copyTo: null, digest: '' };
  if (file === null) return first;
  let octets = Buffer.alloc(0);
  let found = true;
  try {
    octets = readFileSync(file);
  } catch (error) {
    found = false;
    const code = systemCode(error);
    if (code !== 'ENOENT')
      return { ...first, problem: `${title} cannot be read (${file}: ${reasonOf(error)}).`, unread: true, lost: 'all' };
  }
  const digest = digestOf(octets);
  const held = reserve?.read(digest) ?? null;
  if (!found && held === null) return { ...first, digest };
  const stored = jsonOf(held ?? octets.toString('utf8'));
  const whole = schema.safeParse(stored);
  if (whole.success) return { ...first, value: whole.data, digest };
  const aside = `${file}.damaged-${digest.slice(0, 12)}`;
  const kept = existsSync(aside) || copied(file, aside);
  const saved =
    options.salvage && schema instanceof z.ZodObject
      ? salvage(schema, stored, initial as never, options.salvage === 'fields of any version')
      : null;
  const what = saved
    ? `${file} is damaged in ${saved.lost.join(', ')}; the rest of the file is used.`
    : `${file} is damaged, and the defaults are used.`;
  return {
    value: (saved?.value as z.output<Schema> | undefined) ?? initial,
    problem: kept ? `${what} It was saved as ${aside}.` : what,
    unread: false,
    lost: saved?.lost ?? 'all',
    copyTo: kept ? null : aside,
    digest,
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Copies a damaged file. Returns false if that fails, for example in a read-only folder; the file is then untouched. */
function copied(file: string, to: string): boolean {
  try {
    copyFileSync(file, to);
    return true;
  } catch {
    return false;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'your disk quota is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk has an error',
  EFBIG: 'the file is too large for the disk',
  ENOENT: 'its folder no longer exists',
};

/** Describes a system error so that the person can act on it. */
export function reasonOf(error: unknown): string {
  const code = systemCode(error);
  if (code === null) return messageOf(error);
  return REASONS[code] ? `${REASONS[code]}, ${code}` : code;
}

/** Returns the advice to the person about a file that cannot be written. */
export function remedyOf(error: unknown): string {
  const code = systemCode(error) ?? '';
  const remedy = ['ENOSPC', 'EDQUOT'].includes(code)
    ? 'Make room on the disk'
    : ['EROFS', 'EACCES', 'EPERM'].includes(code)
      ? 'Make its folder writable'
      : 'Fix this problem';
  return `${remedy}; the program tries again automatically.`;
}

function lower(title: string): string {
  return `${title.slice(0, 1).toLowerCase()}${title.slice(1)}`;
}
