/** Text that shares no memory with a longer one: what is cut out of a text keeps the whole of it in memory, for as long as it lives. */

/** Characters that are copied at once: as many arguments as a call takes everywhere. */
const PIECE = 8192;

/** The text from `start` on, as a string of its own. */
export function ownText(text: string, start = 0): string {
  let copy = '';
  for (let at = start; at < text.length; at += PIECE) {
    const codes = Array.from({ length: Math.min(PIECE, text.length - at) }, (_, index) => text.charCodeAt(at + index));
    copy += String.fromCharCode(...codes);
  }
  return copy;
}
