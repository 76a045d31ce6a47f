/** Reflows docstrings for any width, because their authors broke the lines for a different width. */

/** The minimum width at which lines are assumed to be wrapped; shorter lines are assumed to end on purpose. */
const LEAST_WIDTH = 40;
const LIST_ITEM = /^(?:[-*•+]|\d+[.)]|:[\w-]+|\(\w+\))\s/;

/**
 * Returns a docstring with each paragraph on one line, so that it can be drawn at any width. Deliberate line ends are preserved: at blank
 * lines, before list items, examples and other indented lines, and where the next word would have fitted.
 */
export function filledDocstring(text: string): string {
  const [first = '', ...rest] = text.split(/\r?\n/).map((line) => line.trimEnd());
  // All lines except the first are indented like the form.
  const indentations = rest.filter((line) => line !== '').map(indentationOf);
  const common = indentations.length === 0 ? 0 : Math.min(...indentations);
  const lines = rest.map((line) => line.slice(common));
  const width = Math.max(LEAST_WIDTH, first.length, ...lines.map((line) => line.length));
  const filled = [first];
  // The first line begins after the quote and other text, so its length says little about the fill width. If it ends like a sentence, its
  // length is used as it is; otherwise the line counts as full, so that the next line is joined to it.
  let [before, end] = [first, /[.:;!?)]$/.test(first) ? first.length : width];
  for (const line of lines) {
    if (goesOn(before, end, line, width)) filled[filled.length - 1] += ` ${line}`;
    else filled.push(line);
    [before, end] = [line, line.length];
  }
  return filled.join('\n');
}

/** Returns true if the line, which occupies `end` of `width` columns, ended only because the next word did not fit. */
function goesOn(line: string, end: number, next: string, width: number): boolean {
  if (line === '' || next === '' || /^\s/.test(line) || /^\s/.test(next) || LIST_ITEM.test(next)) return false;
  const [word = ''] = next.split(' ');
  return end + 1 + word.length > width;
}

function indentationOf(line: string): number {
  return line.length - line.trimStart().length;
}
