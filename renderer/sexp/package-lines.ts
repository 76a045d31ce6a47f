/**
 * The lines of a text that begin an `(in-package …)` in their first column. They are found once and updated during typing, because each key
 * in a long text needs the nearest one before it several times.
 */
import type { Lines } from './reading/top-levels.ts';

const IN_PACKAGE = /^\((?:cl:|common-lisp:)?in-package[\s(]/i;

/** The lines from `first` to `last`, counted before a change, that the change replaced. The new lines may differ in number. */
export interface ChangedLines {
  readonly first: number;
  readonly last: number;
}

export class PackageLines {
  readonly #lines: Lines;
  /** The lines in order; null until they are searched for. */
  #found: number[] | null = null;
  #count = 0;

  constructor(lines: Lines) {
    this.#lines = lines;
  }

  /** Updates the lines after a change of the text. `change` is null if the whole text was replaced. */
  changed(change: ChangedLines | null): void {
    if (change === null) this.#found = null;
    if (this.#found === null || change === null) return;
    const count = this.#lines.count();
    const shift = count - this.#count;
    this.#found = [
      ...this.#found.filter((line) => line < change.first),
      ...this.#between(change.first, change.last + shift),
      ...this.#found.filter((line) => line > change.last).map((line) => line + shift),
    ];
    this.#count = count;
  }

  /** Returns the lines up to `line`, the nearest first. */
  before(line: number): readonly number[] {
    if (this.#found === null) {
      this.#count = this.#lines.count();
      this.#found = this.#between(1, this.#count);
    }
    return this.#found.filter((each) => each <= line).toReversed();
  }

  #between(first: number, last: number): number[] {
    const found: number[] = [];
    for (let line = first; line <= last; line += 1) if (IN_PACKAGE.test(this.#lines.lineAt(line))) found.push(line);
    return found;
  }
}
