/** Copies of parts of a text. A substring keeps the whole original text in memory, so a part that will be stored must be copied. */

/** The number of characters that are copied at once. They are the arguments of one call, and every engine accepts this many. */
const PIECE = 8192;

/** Returns a copy of the text from `start` to its end. */
export function ownText(text: string, start = 0): string {
  let copy = '';
  for (let at = start; at < text.length; at += PIECE) {
    const codes = Array.from({ length: Math.min(PIECE, text.length - at) }, (_, index) => text.charCodeAt(at + index));
    copy += String.fromCharCode(...codes);
  }
  return copy;
}
