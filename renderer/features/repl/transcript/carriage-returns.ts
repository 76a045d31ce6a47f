/**
 * Handles output lines that a program overwrites, such as a progress report: a carriage return that does not end a line starts the line
 * again. Pure.
 */

const PARTS = /\r+\n|\r+|\n|[^\r\n]+/g;

/** Returns the pieces of an output, in order. Only the last version of each overwritten line remains. */
export function writtenOver(texts: readonly string[]): readonly string[] {
  if (!texts.some((text) => text.includes('\r'))) return texts;
  const shown = texts.map(() => '');
  // A carriage return takes effect only when text follows it; until then the line stays readable.
  let isReturned = false;
  for (const [index, text] of texts.entries()) {
    for (const [part] of text.matchAll(PARTS)) {
      if (part.endsWith('\n')) {
        shown[index] += '\n';
        isReturned = false;
      } else if (part.startsWith('\r')) isReturned = true;
      else {
        if (isReturned) dropLine(shown, index);
        shown[index] += part;
        isReturned = false;
      }
    }
  }
  return shown;
}

/** Removes the text after the last line end, even if that text began in an earlier piece. */
function dropLine(shown: string[], last: number): void {
  for (let index = last; index >= 0; index -= 1) {
    const eol = shown[index]!.lastIndexOf('\n');
    shown[index] = shown[index]!.slice(0, eol + 1);
    if (eol >= 0) return;
  }
}
