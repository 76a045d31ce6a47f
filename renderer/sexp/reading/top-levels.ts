/**
 * The lines on which the top-level forms of a text begin. They are found as far as needed and cached until an earlier line changes, so that
 * typing in the middle of a long file only reads the form around the caret.
 */

/** The lines of a text, counted from 1. */
export interface Lines {
  lineAt(line: number): string;
  count(): number;
}

interface State {
  within: 'code' | 'string' | 'bar' | 'comment';
  /** The number of open lists and block comments. */
  depth: number;
  comments: number;
}

export class TopLevels {
  readonly #lines: Lines;
  /** The lines on which a form begins that is not inside another form, in order. */
  #starts: number[] = [];
  /** The state before the line `next`, which is the first unread line. */
  #state: State = fresh();
  #next = 1;

  constructor(lines: Lines) {
    this.#lines = lines;
  }

  /** Drops the cached results from a changed line on. */
  changed(line: number): void {
    if (line >= this.#next) return;
    this.#starts = this.#starts.filter((start) => start < line);
    // The last form that begins before the changed line is scanned again from its start.
    this.#next = this.#starts.pop() ?? 1;
    this.#state = fresh();
  }

  /** Returns the first line of the form that contains the line, otherwise of the last form before the line; 1 if there is no such form. */
  startOf(line: number): number {
    this.#readTo(line);
    return this.#starts.findLast((start) => start <= line) ?? 1;
  }

  /**
   * Returns the first and the last line of the form around a line together with `neighbours` forms on each side. The last of these forms
   * includes the lines up to the next form.
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
        // A definition in the first column is not part of another definition, so the previous form must lack a closing parenthesis.
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
      // A bar that ends a name can be next to a number sign. In `|#` the number sign comes after the name; in `#|` it is the name's last
      // character.
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
