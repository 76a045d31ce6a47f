/**
 * The text that a REPL has been given and not yet used, and the pieces of it that are evaluated one by one. By the standard syntax, which
 * the image need not have: it says by an error of its reader where a piece goes on, and then gets a longer one.
 */
import { scanOnly } from '#contract/sexp/reader.ts';

/** The longest text that is looked at for each line that is added to it, in characters. */
const SHORT = 20_000;

export class FormReader {
  #text = '';
  /** Ends of the forms in the text that are whole, in order; null until the text is looked at again. */
  #ends: number[] | null = null;
  /** Length of the text when it was looked at last, and nothing whole was in it. */
  #looked = 0;
  /** Forms that the next piece has at least: more than one where the image found that a piece goes on. */
  #wanted = 1;
  /** The blank rest of a line that was dropped behind the last piece. */
  #dropped = '';
  #givenUp = false;

  /** True while a form has begun and has not ended. */
  get begun(): boolean {
    return this.#text.trim() !== '';
  }

  /** The text that was given and not yet taken. */
  get text(): string {
    return this.#text;
  }

  /** Adds a line without its end. An empty one after a piece that was put back ends it, whatever the image's reader wants more. */
  add(line: string): void {
    this.#text += `${line}\n`;
    this.#givenUp = this.#wanted > 1 && line.trim() === '';
    this.#ends = null;
  }

  /**
   * Takes the next whole form with what stands before it; null when there is none. While `more` text is there at once, a long one that had
   * no end yet is looked at again only after it has grown by an eighth: not for each of its lines.
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

  /** Puts a piece back that the image could not read to its end: it is taken again with a form more. */
  putBack(piece: string): void {
    const before = scanOnly(piece).forms.length;
    this.#text = piece + this.#dropped + this.#text;
    this.#ends = null;
    this.#looked = 0;
    this.#wanted = before + 1;
  }

  /** Takes what is left of the current line, for code that reads it; null when nothing is left. */
  takeLine(): string | null {
    if (this.#text === '') return null;
    const end = this.#text.indexOf('\n');
    const line = this.#text.slice(0, end);
    this.#text = this.#text.slice(end + 1);
    this.#ends = null;
    this.#looked = 0;
    return line;
  }

  /** Returns what is left of the current line and does not take it. */
  peekLine(): string {
    return this.#text.slice(0, Math.max(0, this.#text.indexOf('\n')));
  }

  /** Forgets all text. Returns it. */
  clear(): string {
    const text = this.#text;
    this.#text = '';
    this.#ends = null;
    this.#looked = 0;
    this.#wanted = 1;
    this.#givenUp = false;
    return text;
  }

  /** A line that has nothing more than blanks or a comment is over; code that reads a line gets the next one, as in SBCL. */
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
    if (ends.length === 0 && missing === null) this.clear(); // blanks and comments alone
    this.#ends = ends;
    return ends;
  }
}
