/** Docstrings as text of any width: their authors broke the lines for the width of their editors. */

/** The least width for which lines are thought to be broken: shorter ones end where the author wanted. */
const LEAST_WIDTH = 40;
/** The indentation of a docstring in its form. */
const FORM_INDENTATION = 2;
const LIST_ITEM = /^(?:[-*•+]|\d+[.)]|:[\w-]+|\(\w+\))\s/;

/**
 * Returns a docstring whose paragraphs have one line each, however wide they are drawn. Lines end where they were ended on purpose: at
 * blank lines, before items of lists, examples and other lines that are indented, and where the next word had had room.
 */
export function filledDocstring(text: string): string {
  const [first = '', ...rest] = text.split(/\r?\n/).map((line) => line.trimEnd());
  // All but the first are indented as the form is; that one stands behind the quote.
  const indentations = rest.filter((line) => line !== '').map(indentationOf);
  const common = indentations.length === 0 ? 0 : Math.min(...indentations);
  const behindQuote = first.length + FORM_INDENTATION + 1 - common;
  const lines = [first, ...rest.map((line) => line.slice(common))];
  const width = Math.max(LEAST_WIDTH, behindQuote, ...lines.map((line) => line.length));
  const filled = [first];
  let [before, end] = [first, behindQuote];
  for (const line of lines.slice(1)) {
    if (goesOn(before, end, line, width)) filled[filled.length - 1] += ` ${line}`;
    else filled.push(line);
    [before, end] = [line, line.length];
  }
  return filled.join('\n');
}

/** Returns true when the line, which ended at the column `end`, did so for want of room alone. */
function goesOn(line: string, end: number, next: string, width: number): boolean {
  if (line === '' || next === '' || /^\s/.test(line) || /^\s/.test(next) || LIST_ITEM.test(next)) return false;
  const [word = ''] = next.split(' ');
  return end + 1 + word.length > width;
}

function indentationOf(line: string): number {
  return line.length - line.trimStart().length;
}
