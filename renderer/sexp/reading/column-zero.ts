/**
 * The part of a text that is too large to be read: the lines from an opening parenthesis in the first column up to the next one, as
 * editors find a top-level form without reading what stands before it. Pure.
 */
import type { Lines } from './top-levels.ts';

/** Lines that are looked at in each direction. */
const MOST = 20_000;

/** The lines of the form that a line is in or behind; null where none begins in the first column near to it. */
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
