/** Small words that every part of the program says alike. */

/** A number with its noun: `1 byte`, `2 bytes`; `many` where an s does not make it: `plural(2, 'file is', 'files are')`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Returns a count with its noun, with separators of thousands for numbers that grow large: `41,731 bytes`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

export function capitalized(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Returns the text with every run of spaces and line ends as one space. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

/** Stands for a line end in a text of one line where a blank would change its meaning. */
const LINE_END = '↵';
/** An escaped character, a block comment, a string or a name between bars, to its end or that of the text; or blanks. */
const PIECE = /\\.|#\\.|#\|(?:(?!\|#).)*(?:\|#)?|"(?:\\.|[^"\\])*"?|\|(?:\\.|[^|\\])*\|?|\s+/gs;
/** A piece of code: one of those, or a comment to the end of its line. */
const PIECE_OF_CODE = new RegExp(`${PIECE.source}|;[^\\n]*\\n?`, 'gs');

/**
 * Returns words with Lisp text in them on one line. A line end and the blanks around it are one blank; in strings and in names between
 * bars, which would be others then, a line end is an arrow and blanks stay. `code` is true for a text that is code as a whole: all its
 * blanks between forms are layout, of which one is left, and a comment ends in an arrow.
 */
export function onOneRow(text: string, { code = false }: { code?: boolean } = {}): string {
  return text.trim().replaceAll(code ? PIECE_OF_CODE : PIECE, (piece) => {
    if (piece.trim() === '') return code || piece.includes('\n') ? ' ' : piece;
    return piece.replaceAll(/\r?\n/g, LINE_END);
  });
}

/** The message of anything thrown, for a text that a person or an agent reads. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the text with a replacement character for each half of a pair that stands alone: JSON with one is refused by strict readers. */
export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
}

/**
 * Returns the text in memory of its own. What is cut out of a text (a slice, a match, a part of a split) holds the whole of that in
 * memory for as long as it lives itself; so what is kept of a text that may be long is kept like this.
 */
export function detached(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

/** Returns the first `most` characters of a text, and how many are left out; a text that is no longer is whole. */
export function beginning(text: string, most: number): string {
  const over = text.length - most;
  return over <= 0 ? text : `${detached(text.slice(0, most))}… ${over.toLocaleString('en-US')} characters more`;
}
