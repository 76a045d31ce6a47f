/**
 * The section of a very large text that is parsed: the lines from an opening parenthesis in the first column up to the next one. Other
 * editors also find a top-level form in this way, without parsing the text before it. Pure.
 */
import type { Lines } from './top-levels.ts';

/** The maximum number of lines that are examined in each direction. */
const MOST = 20_000;

/** Returns the lines of the form that contains a line or is before it; null if no form begins in the first column near it. */
export function linesAround(lines: Lines, line: number): { first: number; last: number } | null {
  const begins = (at: number): boolean => lines.lineAt(at).startsWith('(');
  let first = line;
  while (!begins(first)) {
    first -= 1;
    if (first < 1 || line - first > MOST) return null;
  }
  let last = line;
  while (last < lines.count() && last - line < MOST && !begins(last + 1)) last += 1;
  return { first, last };
}
