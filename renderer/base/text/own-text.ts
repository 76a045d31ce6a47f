/** Copies of parts of a text. A substring keeps the whole original text in memory, so stored parts are copied. */

/** Characters that are copied at once, a number of arguments that every engine accepts in a call. */
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
