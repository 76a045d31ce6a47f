/** Lines that a program writes over, as a report of progress does: a carriage return that ends no line begins the line again. Pure. */

const PARTS = /\r+\n|\r+|\n|[^\r\n]+/g;

/** The texts of an output, piece by piece in their order, with of each line only what was written over it last. */
export function writtenOver(texts: readonly string[]): readonly string[] {
  if (!texts.some((text) => text.includes('\r'))) return texts;
  const shown = texts.map(() => '');
  // The return acts when something follows it: until then the line is there to be read.
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

/** Takes away what was written since the last end of a line, in whichever piece that began. */
function dropLine(shown: string[], last: number): void {
  for (let index = last; index >= 0; index -= 1) {
    const eol = shown[index]!.lastIndexOf('\n');
    shown[index] = shown[index]!.slice(0, eol + 1);
    if (eol >= 0) return;
  }
}
