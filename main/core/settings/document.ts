/** A JSON file with a schema: read once, written atomically, never lost to a crash, set aside when it is damaged. */
import { copyFileSync, readFileSync } from 'node:fs';
import writeFileAtomic from 'write-file-atomic';
import type { z } from 'zod';
import { systemCode } from '#core/error.ts';

export interface DocumentOptions<Schema extends z.ZodType> {
  /** Null keeps the document in memory alone. */
  readonly file: string | null;
  readonly schema: Schema;
  readonly initial: z.output<Schema>;
  /** Brings older shapes to the current one before the schema is applied. */
  readonly migrate?: (stored: unknown) => unknown;
}

export class Document<Schema extends z.ZodType> {
  readonly #options: DocumentOptions<Schema>;
  #value: z.output<Schema>;
  #writing: Promise<void> = Promise.resolve();
  /** Why the stored file could not be used; it was kept beside the new one. */
  readonly problem: string | null;

  constructor(options: DocumentOptions<Schema>) {
    this.#options = options;
    const { value, problem } = load(options);
    this.#value = value;
    this.problem = problem;
  }

  get value(): z.output<Schema> {
    return this.#value;
  }

  /** Takes the new value at once and resolves when it is on disk. */
  write(value: z.output<Schema>): Promise<void> {
    this.#value = value;
    const text = `${JSON.stringify(value, null, 2)}\n`;
    const { file } = this.#options;
    const write = this.#writing.then(() => (file === null ? undefined : writeFileAtomic(file, text, { mode: 0o600 })));
    this.#writing = write.catch(() => {});
    return write;
  }

  /** Resolves when everything written so far is on disk. */
  settled(): Promise<void> {
    return this.#writing;
  }
}

function load<Schema extends z.ZodType>({
  file,
  schema,
  initial,
  migrate,
}: DocumentOptions<Schema>): { value: z.output<Schema>; problem: string | null } {
  if (file === null) return { value: initial, problem: null };
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return {
      value: initial,
      problem: systemCode(error) === 'ENOENT' ? null : `${file} cannot be read (${systemCode(error)}).`,
    };
  }
  try {
    const stored: unknown = JSON.parse(text);
    return { value: schema.parse(migrate ? migrate(stored) : stored), problem: null };
  } catch {
    const aside = `${file}.damaged-${Date.now()}`;
    const kept = copy(file, aside) ? ` It was kept as ${aside}, and the defaults are used.` : ' The defaults are used.';
    return { value: initial, problem: `${file} is damaged.${kept}` };
  }
}

function copy(file: string, to: string): boolean {
  try {
    copyFileSync(file, to);
    return true;
  } catch {
    return false; // a folder that cannot be written keeps the damaged file where it is
  }
}
