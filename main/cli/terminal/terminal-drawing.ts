/** The layout of the typed text on a terminal: its rows and the cursor position. Pure. */
import { drawable } from '#contract/text/visible.ts';

export interface Drawing {
  readonly rows: readonly string[];
  /** Row and column of the cursor, from 0. */
  readonly row: number;
  readonly column: number;
}

const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1F64F}\u{1F680}-\u{1F6FF}\u{1F900}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;
const WITHOUT_WIDTH = /\p{Mn}|\p{Me}|\u200D|\uFE0F/u;

/** Returns the number of columns that a character takes. */
function widthOf(character: string): number {
  if (character >= ' ' && character <= '~') return 1;
  if (WITHOUT_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/**
 * Lays out a text after its prompt, and aligns the following lines with the first. If there are more than `most` rows, only those around
 * the cursor are returned.
 */
export function layOut(prompt: string, text: string, cursor: number, columns: number, most: number): Drawing {
  const width = Math.max(2, columns - 1); // the last column stays empty, because terminals differ in how they wrap
  const rows: string[] = [''];
  let used = 0;
  const put = (shown: string): void => {
    for (const character of shown) {
      const wide = widthOf(character);
      if (used + wide > width) {
        rows.push('');
        used = 0;
      }
      rows[rows.length - 1] += character;
      used += wide;
    }
  };
  put(prompt);
  const margin = ' '.repeat(used);
  let place = { row: 0, column: used };
  let offset = 0;
  const note = (): void => {
    if (offset === cursor) place = { row: rows.length - 1, column: used };
  };
  for (const character of text) {
    note();
    offset += character.length;
    if (character === '\n') {
      rows.push('');
      used = 0;
      put(margin);
    } else put(character === '\t' ? '  ' : drawable(character));
  }
  note();
  if (rows.length <= most) return { rows, ...place };
  const first = Math.max(0, Math.min(place.row - Math.floor(most / 2), rows.length - most));
  return { rows: rows.slice(first, first + most), row: place.row - first, column: place.column };
}

/** Lays out words in columns, such as a list of completions. Words beyond `most` are only counted. */
export function inColumns(words: readonly string[], columns: number, most: number): string {
  const shown = words.slice(0, most).map(drawable);
  const width = Math.max(...shown.map((word) => [...word].reduce((sum, each) => sum + widthOf(each), 0))) + 2;
  const perRow = Math.max(1, Math.floor(columns / width));
  const rows: string[] = [];
  for (let at = 0; at < shown.length; at += perRow)
    rows.push(
      shown
        .slice(at, at + perRow)
        .map((word) => word.padEnd(width))
        .join('')
        .trimEnd(),
    );
  if (words.length > most) rows.push(`… and ${words.length - most} more`);
  return `${rows.join('\n')}\n`;
}
