/**
 * The lines on which the top-level forms of a text begin, found as far as somebody asks and kept until an earlier line changes: typing
 * in the middle of a long file reads the form around the caret alone.
 */

/** A text of lines, counted from 1. */
export interface Lines {
  lineAt(line: number): string;
  count(): number;
}

interface State {
  within: 'code' | 'string' | 'bar' | 'comment';
  /** Lists that are open, and block comments. */
  depth: number;
  comments: number;
}

export class TopLevels {
  readonly #lines: Lines;
  /** Lines that begin a form outside every other one, in order. */
  #starts: number[] = [];
  /** The state before the line `next`, which is the first that was not read. */
  #state: State = fresh();
  #next = 1;

  constructor(lines: Lines) {
    this.#lines = lines;
  }

  /** Forgets what was found from a line on, which has changed. */
  changed(line: number): void {
    if (line >= this.#next) return;
    this.#starts = this.#starts.filter((start) => start < line);
    // The last form that begins before the line is read again from its beginning.
    this.#next = this.#starts.pop() ?? 1;
    this.#state = fresh();
  }

  /** The first line of the form that a line is in, or of the last one before it; 1 where none is. */
  startOf(line: number): number {
    this.#readTo(line);
    return this.#starts.findLast((start) => start <= line) ?? 1;
  }

  /**
   * The first and the last line of the form that a line is in, with as many forms before and behind it as asked for, and what follows the
   * last one before the next.
   */
  around(line: number, neighbours = 0): { first: number; last: number } {
    this.#readTo(line);
    const here = this.#starts.findLastIndex((start) => start <= line);
    while (this.#starts.length <= here + neighbours + 1 && this.#next <= this.#lines.count()) this.#readTo(this.#next);
    const after = this.#starts[here + neighbours + 1];
    return {
      first: here < 0 ? 1 : this.#starts[Math.max(0, here - neighbours)]!,
      last: after === undefined ? this.#lines.count() : after - 1,
    };
  }

  #readTo(line: number): void {
    const last = Math.min(line, this.#lines.count());
    for (; this.#next <= last; this.#next += 1) {
      const text = this.#lines.lineAt(this.#next);
      if (this.#state.within === 'code') {
        // A definition in the first column is no part of another one, whose end is missing.
        if (this.#state.depth > 0 && /^\((def|in-package)/i.test(text)) this.#state.depth = 0;
        if (this.#state.depth === 0 && /^[^\s;)]/.test(text) && !text.startsWith('#|')) this.#starts.push(this.#next);
      }
      read(text, this.#state);
    }
  }
}

const TOKENS = /\\|;|#\||\|#|"|\||\(|\)/g;

function read(line: string, state: State): void {
  TOKENS.lastIndex = 0;
  for (let found = TOKENS.exec(line); found; found = TOKENS.exec(line)) {
    const [token] = found;
    if (token === '\\') {
      if (state.within !== 'comment') TOKENS.lastIndex += 1;
    } else if (state.within === 'string' || state.within === 'bar') {
      if (token === (state.within === 'string' ? '"' : '|')) state.within = 'code';
      // A bar that ends a name may stand before a number sign, a number sign before one that begins a name.
      else if (state.within === 'bar' && token !== '"' && token.includes('|')) {
        state.within = 'code';
        TOKENS.lastIndex = found.index + (token === '|#' ? 1 : 2);
      }
    } else if (state.within === 'comment') {
      if (token === '#|') state.comments += 1;
      else if (token === '|#') {
        state.comments -= 1;
        if (state.comments === 0) state.within = 'code';
      }
    } else if (token === ';') return;
    else if (token === '(') state.depth += 1;
    else if (token === ')') state.depth = Math.max(0, state.depth - 1);
    else if (token === '"') state.within = 'string';
    else if (token === '#|') {
      state.within = 'comment';
      state.comments = 1;
    } else {
      state.within = 'bar';
      TOKENS.lastIndex = found.index + 1;
    }
  }
}

function fresh(): State {
  return { within: 'code', depth: 0, comments: 0 };
}
