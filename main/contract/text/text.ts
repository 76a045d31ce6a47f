/** Small text functions shared by every part of the program. */

/** Returns a number with its noun: `1 byte`, `2 bytes`. Pass `many` for an irregular plural: `plural(2, 'file is', 'files are')`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Returns a number with thousands separators and its noun: `41,731 bytes`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

export function capitalized(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Returns the text with each run of whitespace replaced by one space. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

/** The replacement for a line end in text that is put on one line, used if a blank would change the meaning. */
const LINE_END = '↵';
/** An escaped character, a block comment, a string or a name between bars, up to its end or the end of the text; or whitespace. */
const PIECE = /\\.|#\\.|#\|(?:(?!\|#).)*(?:\|#)?|"(?:\\.|[^"\\])*"?|\|(?:\\.|[^|\\])*\|?|\s+/gs;
/** A piece of code: a match of `PIECE`, or a comment up to the end of its line. */
const PIECE_OF_CODE = new RegExp(`${PIECE.source}|;[^\\n]*\\n?`, 'gs');

/**
 * Returns a text that contains Lisp as one line. A line end and the blanks around it become one blank. In strings and in names between
 * bars, where that would change the meaning, a line end becomes an arrow and blanks are unchanged. If `code` is true, the whole text is
 * code: all whitespace between forms is reduced to one blank, and a comment ends with an arrow.
 */
export function onOneRow(text: string, { code = false }: { code?: boolean } = {}): string {
  return text.trim().replaceAll(code ? PIECE_OF_CODE : PIECE, (piece) => {
    if (piece.trim() === '') return code || piece.includes('\n') ? ' ' : piece;
    return piece.replaceAll(/\r?\n/g, LINE_END);
  });
}

/** Returns the message of any thrown value, for a person or an agent. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the text with each unpaired surrogate replaced, because strict JSON parsers reject unpaired surrogates. */
export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
}

/**
 * Returns a copy of the text that has its own memory. Otherwise, a slice, a match or a piece of a split text keeps the whole original in
 * memory. Use this for small stored texts that may come from long ones.
 */
export function detached(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

/** Returns the first `most` characters of a text, followed by the number of omitted ones; a shorter text is returned unchanged. */
export function beginning(text: string, most: number): string {
  const over = text.length - most;
  return over <= 0 ? text : `${detached(text.slice(0, most))}… ${over.toLocaleString('en-US')} characters more`;
}

/** Returns a size in octets as people read it, such as `12 kB` or `2.8 MB`. */
export function sizeInWords(octets: number): string {
  return octets < 1_000_000 ? `${Math.ceil(octets / 1_000)} kB` : `${(octets / 1_000_000).toFixed(1)} MB`;
}
