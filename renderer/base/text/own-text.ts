/** Copies of parts of a text. A substring keeps the whole original text in memory, so parts that are stored are copied. */

/** The number of characters that are copied at once. They are arguments of one call, and every engine accepts this number of arguments. */
const PIECE = 8192;

/** Returns a copy of the text from `start` on. */
export function ownText(text: string, start = 0): string {
  let copy = '';
  for (let at = start; at < text.length; at += PIECE) {
    const codes = Array.from({ length: Math.min(PIECE, text.length - at) }, (_, index) => text.charCodeAt(at + index));
    copy += String.fromCharCode(...codes);
  }
  return copy;
}
