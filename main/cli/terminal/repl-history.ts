/** The history of the terminal REPL, stored in the home directory and readable only by its owner. */
import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { maskTokens } from '#core/base/tokens.ts';

const MOST = 1000;

export class ReplHistory {
  readonly #file: string;
  readonly #say: (problem: string) => void;
  #entries: string[] = [];
  #failed = false;
  /** True if the last line of the file has no line end, which means that the next entry must start a new line. */
  #torn = false;

  /** `say` is called once if the file cannot be read or written. */
  constructor(file: string, say: (problem: string) => void) {
    this.#file = file;
    this.#say = say;
    this.#read();
  }

  /** Oldest first. */
  get entries(): readonly string[] {
    return this.#entries;
  }

  /** Adds a text; consecutive duplicates become one entry. */
  add(text: string): void {
    const entry = maskTokens(text.trimEnd());
    if (entry.trim() === '' || entry === this.#entries.at(-1)) return;
    this.#entries = [...this.#entries, entry].slice(-MOST);
    this.#attempt(() => {
      mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      appendFileSync(this.#file, `${this.#torn ? '\n' : ''}${JSON.stringify(entry)}\n`, { mode: 0o600 });
      this.#torn = false;
    });
  }

  #read(): void {
    let text = '';
    try {
      text = readFileSync(this.#file, 'utf8');
    } catch {
      return; // the file does not exist yet; if it cannot be written, the first write reports that
    }
    this.#torn = text !== '' && !text.endsWith('\n');
    const lines = text.split('\n').filter((line) => line !== '');
    this.#entries = lines.flatMap(entryOf).slice(-MOST);
    this.#attempt(() => {
      chmodSync(this.#file, 0o600);
      if (lines.length > 2 * MOST)
        writeFileSync(this.#file, this.#entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    });
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!this.#failed) this.#say(`The history cannot be saved in ${this.#file}: ${(error as Error).message}`);
      this.#failed = true;
    }
  }
}

/** Returns the entry on a line, as an array with one element; an empty array for a damaged line. */
function entryOf(line: string): string[] {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'string' ? [entry] : [];
  } catch {
    return [];
  }
}
