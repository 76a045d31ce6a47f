/**
 * The lines of a text that begin an `(in-package …)` in their first column, found once and kept up with what is typed: each key in a long
 * text asks for the one before it several times.
 */
import type { Lines } from './reading/top-levels.ts';

const IN_PACKAGE = /^\((?:cl:|common-lisp:)?in-package[\s(]/i;

/** Lines from `first` to `last` of the text before a change; they became others, so that the count of all lines is another one, too. */
export interface ChangedLines {
  readonly first: number;
  readonly last: number;
}

export class PackageLines {
  readonly #lines: Lines;
  /** The lines in order; null while they have not been looked for. */
  #found: number[] | null = null;
  #count = 0;

  constructor(lines: Lines) {
    this.#lines = lines;
  }

  /** Takes over a change of the text, which has been made. Null where all of it is another one. */
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

  /** The lines up to `line`, the nearest first. */
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
