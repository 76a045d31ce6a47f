/**
 * The text that a REPL has received but not yet used. It is evaluated in pieces, one after the other. The standard syntax determines where
 * a piece ends, although the image may have changed its own syntax. If the image's reader signals that a piece is incomplete, the reader
 * gets a longer piece.
 */
import { scanOnly } from '#contract/sexp/reader.ts';

/** The maximum length, in characters, of an incomplete text that is scanned again for each added line. */
const SHORT = 20_000;

export class FormReader {
  #text = '';
  /** Ends of the complete forms in the text, in order; null if the text must be scanned again. */
  #ends: number[] | null = null;
  /** Length of the text at the last scan, if that scan found no complete form; otherwise 0. */
  #looked = 0;
  /** The minimum number of forms in the next piece. It is greater than one if the image found a piece incomplete. */
  #wanted = 1;
  /** The blank remainder of a line that was dropped after the last piece. */
  #dropped = '';
  #givenUp = false;

  /** True while a form has begun and has not ended. */
  get begun(): boolean {
    return this.#text.trim() !== '';
  }

  /** The text that was received and has not been taken yet. */
  get text(): string {
    return this.#text;
  }

  /**
   * Adds a line. `line` has no line end. After a piece was put back, an empty line discards the text, even if the image's reader needs
   * more.
   */
  add(line: string): void {
    this.#text += `${line}\n`;
    this.#givenUp = this.#wanted > 1 && line.trim() === '';
    this.#ends = null;
  }

  /**
   * Takes the next complete form and the text before it; null if there is none. `more` means that further text is already available: a long
   * incomplete text is then scanned again only after it has grown by an eighth, not after every line.
   */
  next(more = false): string | null {
    if (this.#givenUp) return this.clear();
    if (more && this.#ends === null && this.#looked > SHORT && this.#text.length < (this.#looked * 9) / 8) return null;
    const ends = this.#ends ?? this.#look();
    const end = ends[this.#wanted - 1];
    if (end === undefined) return null;
    const piece = this.#text.slice(0, end);
    this.#text = this.#text.slice(end);
    const rest = ends.slice(this.#wanted).map((each) => each - end);
    this.#ends = rest.length === 0 ? null : rest;
    this.#wanted = 1;
    this.#dropBlankRest();
    return piece;
  }

  /** Puts back a piece that the image's reader found incomplete. The next piece will have one more form. */
  putBack(piece: string): void {
    const before = scanOnly(piece).forms.length;
    this.#text = piece + this.#dropped + this.#text;
    this.#ends = null;
    this.#looked = 0;
    this.#wanted = before + 1;
  }

  /** Takes the remainder of the current line, for code that reads it; null if nothing remains. */
  takeLine(): string | null {
    if (this.#text === '') return null;
    const end = this.#text.indexOf('\n');
    const line = this.#text.slice(0, end);
    this.#text = this.#text.slice(end + 1);
    this.#ends = null;
    this.#looked = 0;
    return line;
  }

  /** Returns the remainder of the current line without taking it. */
  peekLine(): string {
    return this.#text.slice(0, Math.max(0, this.#text.indexOf('\n')));
  }

  /** Discards all text and returns it. */
  clear(): string {
    const text = this.#text;
    this.#text = '';
    this.#ends = null;
    this.#looked = 0;
    this.#wanted = 1;
    this.#givenUp = false;
    return text;
  }

  /** Drops the remainder of a line if it has only blanks or a comment, so that code that reads a line gets the next line, as in SBCL. */
  #dropBlankRest(): void {
    const end = this.#text.indexOf('\n');
    this.#dropped = '';
    if (end < 0 || !/^[ \t\r\f]*(?:;.*)?$/.test(this.#text.slice(0, end))) return;
    this.#dropped = this.#text.slice(0, end + 1);
    this.#text = this.#text.slice(end + 1);
    this.#ends = this.#ends?.map((each) => each - end - 1) ?? null;
  }

  #look(): number[] {
    const { forms, missing, stray } = scanOnly(this.#text);
    const whole = missing === null || missing === 'comment' ? forms : forms.filter(({ closed }) => closed);
    const ends = whole.map(({ end }) => end);
    if (stray !== null) ends.push(stray + 1);
    ends.sort((a, b) => a - b);
    this.#looked = ends.length === 0 ? this.#text.length : 0;
    if (ends.length === 0 && missing === null) this.clear(); // only blanks and comments
    this.#ends = ends;
    return ends;
  }
}
