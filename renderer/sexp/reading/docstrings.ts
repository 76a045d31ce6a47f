/** Docstrings as text of any width: their authors broke the lines for the width of their editors. */

/** The least width for which lines are thought to be broken: shorter ones end where the author wanted. */
const LEAST_WIDTH = 40;
const LIST_ITEM = /^(?:[-*•+]|\d+[.)]|:[\w-]+|\(\w+\))\s/;

/**
 * Returns a docstring whose paragraphs have one line each, however wide they are drawn. Lines end where they were ended on purpose: at
 * blank lines, before items of lists, examples and other lines that are indented, and where the next word had had room.
 */
export function filledDocstring(text: string): string {
  const [first = '', ...rest] = text.split(/\r?\n/).map((line) => line.trimEnd());
  // All but the first are indented as the form is.
  const indentations = rest.filter((line) => line !== '').map(indentationOf);
  const common = indentations.length === 0 ? 0 : Math.min(...indentations);
  const lines = rest.map((line) => line.slice(common));
  const width = Math.max(LEAST_WIDTH, first.length, ...lines.map((line) => line.length));
  const filled = [first];
  // The first stands behind the quote and what is before that, so its length says little: it ends with a sentence, or goes on.
  let [before, end] = [first, /[.:;!?)]$/.test(first) ? first.length : width];
  for (const line of lines) {
    if (goesOn(before, end, line, width)) filled[filled.length - 1] += ` ${line}`;
    else filled.push(line);
    [before, end] = [line, line.length];
  }
  return filled.join('\n');
}

/** Returns true when the line, which takes `end` columns of `width`, ended for want of room alone. */
function goesOn(line: string, end: number, next: string, width: number): boolean {
  if (line === '' || next === '' || /^\s/.test(line) || /^\s/.test(next) || LIST_ITEM.test(next)) return false;
  const [word = ''] = next.split(' ');
  return end + 1 + word.length > width;
}

function indentationOf(line: string): number {
  return line.length - line.trimStart().length;
}
