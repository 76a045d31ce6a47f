/** Re-indents lines of Lisp text from the forms around them. */
import { columnOf } from './columns.ts';
import { Layout } from './layout.ts';
import { type Macros, methodsIn, NO_IMAGE } from './methods.ts';

/** A line whose column changes: its index, its new whitespace and its old whitespace. */
export interface Reindented {
  line: number;
  blank: string;
  had: number;
}

/**
 * Re-indents lines `first` to `last` (0-based) of a text that begins with a top-level form, and returns the changed lines in order.
 * `packageName` is the package in which the text begins. Lines that begin inside a string, a block comment or `|a name|` stay unchanged,
 * and so do comments with three or more semicolons, which the author has positioned. A blank line is emptied if several lines are
 * re-indented; a single blank line is indented.
 */
export function reindentLines(
  lines: readonly string[],
  first: number,
  last: number,
  macros: Macros = NO_IMAGE,
  packageName: string | null = null,
): Reindented[] {
  const layout = new Layout(lines);
  const find = methodsIn(layout, macros, packageName);
  const settled = new Map<object, number>();
  const changed: Reindented[] = [];
  for (let line = first; line <= last; line += 1) {
    const text = layout.textOf(line);
    const had = layout.blankOf(line);
    const { within, list } = layout.contexts[line]!;
    if (within !== 'code' || text.startsWith(';;;')) continue;
    let column = 0;
    if (text !== '' || first === last) {
      const known = list ? settled.get(list) : undefined;
      const found = known === undefined ? columnOf(layout, line, find)! : { column: known, settled: true };
      column = found.column;
      if (list && found.settled) settled.set(list, column);
    }
    const blank = ' '.repeat(column);
    layout.move(line, column);
    if (blank !== had) changed.push({ line, blank, had: had.length });
  }
  return changed;
}

/** Returns the column for a new line after `lines`, whose last line ends at the caret. `after` is the text at the start of the new line. */
export function newLineColumn(
  lines: readonly string[],
  after: string,
  macros: Macros = NO_IMAGE,
  packageName: string | null = null,
): number {
  const layout = new Layout([...lines, after]);
  return columnOf(layout, lines.length, methodsIn(layout, macros, packageName))?.column ?? 0;
}
