/** The line editor of the terminal REPL, with cursor, history, kill and search as in a shell. Pure: takes keys, updates its state. */

/** A key as Node's `readline` decodes it. */
export interface Key {
  readonly name?: string | undefined;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly sequence?: string;
}

/** The action that the caller must perform after a key; null if the caller only has to redraw. */
export type KeyResult = 'submit' | 'interrupt' | 'end' | 'clear' | 'complete' | 'suspend' | 'bell' | null;

export class LineEditor {
  text = '';
  cursor = 0;
  /** The current search through the history; null if no search is active. */
  search: { query: string; at: number; found: boolean } | null = null;
  readonly #history: readonly string[];
  readonly #isWhole: (text: string) => boolean;
  /** The index of the displayed history entry; equal to the length of the history while the new text is displayed. */
  #at: number;
  #draft = '';
  #killed = '';
  #pasting = false;

  /**
   * `history` starts with the oldest entry. `isWhole` returns true for a text that Enter submits; in any other text, Enter inserts a line
   * break.
   */
  constructor(history: readonly string[], isWhole: (text: string) => boolean) {
    this.#history = history;
    this.#isWhole = isWhole;
    this.#at = history.length;
  }

  /** True between the start and end markers of a paste, in which line ends are plain text. */
  get pasting(): boolean {
    return this.#pasting;
  }

  insert(text: string): void {
    this.text = this.text.slice(0, this.cursor) + text + this.text.slice(this.cursor);
    this.cursor += text.length;
  }

  /** Replaces the text between an offset and the cursor. */
  replace(from: number, text: string): void {
    this.text = this.text.slice(0, from) + text + this.text.slice(this.cursor);
    this.cursor = from + text.length;
  }

  key(character: string | undefined, key: Key): KeyResult {
    if (key.name === 'paste-start') this.#pasting = true;
    else if (key.name === 'paste-end') this.#pasting = false;
    else if (this.#pasting) this.#paste(character, key);
    else if (this.search) return this.#searchKey(character, key);
    else if (key.ctrl && key.name !== undefined) return this.#control(key.name);
    else if (key.meta) return this.#meta(key.name ?? '');
    else return this.#plain(character, key);
    return null;
  }

  #paste(character: string | undefined, { name, sequence }: Key): void {
    if (name === 'return' || name === 'enter') this.insert('\n');
    else this.insert((character ?? sequence ?? '').replaceAll(/[^\n\t\P{Cc}]/gu, ''));
  }

  #plain(character: string | undefined, { name }: Key): KeyResult {
    switch (name ?? '') {
      case 'return':
      case 'enter':
        return this.#enter();
      case 'tab':
        return 'complete';
      case 'backspace':
        this.#delete(this.#before(), this.cursor);
        return null;
      case 'delete':
        this.#delete(this.cursor, this.#after());
        return null;
      case 'left':
        this.cursor = this.#before();
        return null;
      case 'right':
        this.cursor = this.#after();
        return null;
      case 'home':
        this.cursor = this.#lineStart();
        return null;
      case 'end':
        this.cursor = this.#lineEnd();
        return null;
      case 'up':
        return this.#up();
      case 'down':
        return this.#down();
      default:
        if (character !== undefined && !/^\p{Cc}/u.test(character)) this.insert(character);
        return null;
    }
  }

  #control(name: string): KeyResult {
    switch (name) {
      case 'c':
        return 'interrupt';
      case 'd':
        if (this.text === '') return 'end';
        this.#delete(this.cursor, this.#after());
        return null;
      case 'l':
        return 'clear';
      case 'z':
        return 'suspend';
      case 'a':
        this.cursor = this.#lineStart();
        return null;
      case 'e':
        this.cursor = this.#lineEnd();
        return null;
      case 'b':
        this.cursor = this.#before();
        return null;
      case 'f':
        this.cursor = this.#after();
        return null;
      case 'left':
        this.cursor = this.#wordStart();
        return null;
      case 'right':
        this.cursor = this.#wordEnd();
        return null;
      case 'h':
        this.#delete(this.#before(), this.cursor);
        return null;
      case 'k':
        this.#killLine();
        return null;
      case 'u':
        this.#kill(this.#lineStart(), this.cursor);
        return null;
      case 'w':
        this.#kill(this.#wordStart(), this.cursor);
        return null;
      case 'y':
        this.insert(this.#killed);
        return null;
      case 'j':
        return this.#enter();
      case 'p':
        return this.#up();
      case 'n':
        return this.#down();
      case 'r':
        this.search = { query: '', at: this.#history.length, found: true };
        return null;
      default:
        return null;
    }
  }

  #meta(name: string): KeyResult {
    if (name === 'b' || name === 'left') this.cursor = this.#wordStart();
    else if (name === 'f' || name === 'right') this.cursor = this.#wordEnd();
    else if (name === 'd') this.#kill(this.cursor, this.#wordEnd());
    else if (name === 'backspace') this.#kill(this.#wordStart(), this.cursor);
    else if (name === 'return' || name === 'enter') this.insert('\n');
    return null;
  }

  #enter(): KeyResult {
    if (this.#isWhole(this.text)) return 'submit';
    this.insert('\n');
    return null;
  }

  /**
   * Handles a key during a history search. Typed text narrows the search. A key that ends the search is then applied to the found entry.
   */
  #searchKey(character: string | undefined, key: Key): KeyResult {
    const search = this.search!;
    if (key.ctrl && key.name === 'r') return this.#find(search.query, search.at - 1);
    if (key.name === 'backspace') return this.#find(search.query.slice(0, -1), this.#history.length - 1);
    if ((key.ctrl && (key.name === 'g' || key.name === 'c')) || key.name === 'escape') {
      this.search = null;
      return null;
    }
    const printable = character !== undefined && !key.ctrl && !key.meta && !/^\p{Cc}/u.test(character);
    if (printable) return this.#find(search.query + character, Math.min(search.at, this.#history.length - 1));
    const found = this.#history[search.at];
    this.search = null;
    if (found !== undefined) this.#show(search.at);
    return key.name === 'return' || key.name === 'enter' ? this.#enter() : this.key(character, key);
  }

  #find(query: string, from: number): KeyResult {
    const at =
      query === ''
        ? this.#history.length
        : this.#history.findLastIndex((entry, index) => index <= from && entry.includes(query));
    const found = query === '' || at >= 0;
    this.search = { query, at: at >= 0 ? at : this.search!.at, found };
    return found ? null : 'bell';
  }

  /** The entry found by the search. */
  get found(): string {
    return this.#history[this.search?.at ?? -1] ?? '';
  }

  #up(): KeyResult {
    const start = this.#lineStart();
    if (start > 0) {
      const before = this.#startBefore(start - 1);
      this.cursor = Math.min(before + this.cursor - start, start - 1);
      return null;
    }
    if (this.#at === 0) return 'bell';
    this.#show(this.#at - 1);
    return null;
  }

  #down(): KeyResult {
    const end = this.#lineEnd();
    if (end < this.text.length) {
      const column = this.cursor - this.#lineStart();
      this.cursor = end + 1;
      this.cursor = Math.min(end + 1 + column, this.#lineEnd());
      return null;
    }
    if (this.#at >= this.#history.length) return 'bell';
    this.#show(this.#at + 1);
    return null;
  }

  #show(at: number): void {
    if (this.#at === this.#history.length) this.#draft = this.text;
    this.#at = at;
    this.text = this.#history[at] ?? this.#draft;
    this.cursor = this.text.length;
  }

  #delete(from: number, to: number): void {
    this.text = this.text.slice(0, from) + this.text.slice(to);
    this.cursor = from;
  }

  #kill(from: number, to: number): void {
    if (to > from) this.#killed = this.text.slice(from, to);
    this.#delete(from, to);
  }

  /** Kills the text up to the end of the line, or the line break if the cursor is at the end of the line. */
  #killLine(): void {
    const end = this.#lineEnd();
    this.#kill(this.cursor, end > this.cursor ? end : Math.min(end + 1, this.text.length));
  }

  #lineStart(): number {
    return this.#startBefore(this.cursor);
  }

  #startBefore(offset: number): number {
    return offset <= 0 ? 0 : this.text.lastIndexOf('\n', offset - 1) + 1;
  }

  #lineEnd(): number {
    const end = this.text.indexOf('\n', this.cursor);
    return end < 0 ? this.text.length : end;
  }

  #before(): number {
    const [last = ''] = [...graphemes.segment(this.text.slice(0, this.cursor))].slice(-1).map(({ segment }) => segment);
    return this.cursor - last.length;
  }

  #after(): number {
    const [first] = graphemes.segment(this.text.slice(this.cursor));
    return this.cursor + (first?.segment.length ?? 0);
  }

  #wordStart(): number {
    return this.cursor - (/[\p{L}\p{N}]*[^\p{L}\p{N}]*$/u.exec(this.text.slice(0, this.cursor))?.[0].length ?? 0);
  }

  #wordEnd(): number {
    return this.cursor + (/^[^\p{L}\p{N}]*[\p{L}\p{N}]*/u.exec(this.text.slice(this.cursor))?.[0].length ?? 0);
  }
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
