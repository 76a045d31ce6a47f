/** Tables of Markdown, as GitHub's has them: a head, a line of dashes that tells the columns and their alignment, and rows. Pure. */

export type Alignment = 'start' | 'center' | 'end';

export interface TableHead {
  /** The Markdown of each cell. */
  readonly cells: readonly string[];
  /** The alignment of each column. */
  readonly columns: readonly Alignment[];
}

/** Columns of a table; what has more is text. */
const MOST_COLUMNS = 64;
/** Characters of a line of dashes: a longer one belongs to no table that could be drawn. */
const LONGEST_RULE = 2000;
const TABLE_RULE = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** The head of a table that begins with this line; null where none begins. */
export function tableHead(line: string, below: string): TableHead | null {
  if (!line.includes('|') || !below.includes('-') || below.length > LONGEST_RULE || !TABLE_RULE.test(below))
    return null;
  const columns = cellsOf(below, MOST_COLUMNS + 1).map(alignmentOf);
  const cells = cellsOf(line, MOST_COLUMNS + 1);
  return cells.length === columns.length && columns.length <= MOST_COLUMNS ? { cells, columns } : null;
}

/** The Markdown of the cells of a row, as many as there are columns at most. */
export function cellsOf(line: string, most: number): string[] {
  const text = line.trim();
  const cells: string[] = [];
  let from = text.startsWith('|') ? 1 : 0;
  for (let at = from; at < text.length && cells.length < most; at += 1) {
    // A bar behind a backslash is one of the cell's own, within code, too.
    if (text[at] === '\\') at += 1;
    else if (text[at] === '|') {
      cells.push(text.slice(from, at));
      from = at + 1;
    }
  }
  if (cells.length < most && from < text.length) cells.push(text.slice(from));
  return cells.map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'));
}

function alignmentOf(dashes: string): Alignment {
  if (!dashes.endsWith(':')) return 'start';
  return dashes.startsWith(':') ? 'center' : 'end';
}
