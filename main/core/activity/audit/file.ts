/** An audit file that is being written, and its anchor. Only complete lines are written. */
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { OpenAnchor, type Missed } from './anchor.ts';
import type { AuditPlaces } from './chain.ts';
import { processMark } from './files.ts';

export class AuditFile {
  readonly file: string;
  readonly name: string;
  readonly #descriptor: number;
  readonly #anchor: OpenAnchor;
  readonly #anchorFile: string;
  readonly #writer = processMark();
  #size = 0;
  #torn = false;
  #rows = 0;
  #hash: string;
  #missed: Missed | null = null;

  /** @throws if the file cannot be created. In that case, nothing of it remains on disk. */
  constructor({ folder, anchors }: AuditPlaces, name: string, previous: string) {
    this.name = name;
    this.file = path.join(folder, name);
    this.#hash = previous;
    this.#anchorFile = path.join(anchors, `${name}.anchor`);
    this.#anchor = new OpenAnchor(anchors, name, { rows: 0, hash: previous, writer: this.#writer, missed: null });
    try {
      this.#descriptor = openSync(this.file, 'ax', 0o600);
    } catch (error) {
      this.#anchor.close();
      rmSync(this.#anchorFile, { force: true });
      throw error;
    }
  }

  get size(): number {
    return this.#size;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Adds complete lines. @throws if there is no space for them. In that case, nothing of them remains in the file. */
  add(lines: Buffer, hash: string, rows: number): void {
    try {
      // On a nearly full disk, a write may store only a part of the data without reporting an error; the next write then fails.
      for (let written = 0; written < lines.length;) written += writeSync(this.#descriptor, lines, written);
    } catch (error) {
      this.#cut();
      throw error;
    }
    this.#size += lines.length;
    this.#rows += rows;
    this.#hash = hash;
  }

  /** True if an incomplete line could not be removed. In that case, no further lines may be added. */
  get torn(): boolean {
    return this.#torn;
  }

  #cut(): void {
    try {
      ftruncateSync(this.#descriptor, this.#size);
    } catch {
      this.#torn = true;
    }
  }

  /** True if the file and its anchor still exist at their paths. */
  get present(): boolean {
    const { ino, nlink } = fstatSync(this.#descriptor);
    const found = statSync(this.file, { throwIfNoEntry: false });
    return nlink > 0 && found?.ino === ino && statSync(this.#anchorFile, { throwIfNoEntry: false }) !== undefined;
  }

  sync(): void {
    fsyncSync(this.#descriptor);
    this.anchor();
  }

  /** Writes the anchor: the number of rows, the hash of the last row, and the events that are missing from the file. */
  anchor(missed: Missed | null = this.#missed): void {
    this.#missed = missed;
    this.#anchor.write({ rows: this.#rows, hash: this.#hash, writer: this.#writer, missed });
  }

  close(): void {
    try {
      this.sync();
    } finally {
      closeSync(this.#descriptor);
      this.#anchor.close();
    }
  }
}
