/** The part of a long text that indentation has to read for one line: from the top-level form that the line is in. */
import { Layout } from './layout.ts';

/** Lines that are looked at before the line, and top-level forms. */
const MOST_LINES = 2000;
const MOST_FORMS = 4;

const BEGINS_FORM = /^[^\s;)]*\(/;

/**
 * The first line of the top-level form around `line`; all numbers begin with 1. It begins with `(`, and not in a string: a docstring
 * may have a parenthesis in the first column, too.
 */
export function topLevelLine(lineAt: (line: number) => string, line: number): number {
  const candidates: number[] = [];
  for (let at = line - 1; at >= 1 && line - at < MOST_LINES && candidates.length < MOST_FORMS; at -= 1)
    if (BEGINS_FORM.test(lineAt(at))) candidates.unshift(at);
  const [first] = candidates;
  if (first === undefined) return Math.max(1, line - MOST_LINES);
  const lines: string[] = [];
  for (let at = first; at < line; at += 1) lines.push(lineAt(at));
  const { contexts } = new Layout(lines);
  return candidates.findLast((at) => contexts[at - first]!.within === 'code') ?? first;
}

/**
 * The lines around `line` that hold the top-level form that it is in, and with `neighbours` the one before and the one after.
 * `count` is the number of lines of the text.
 */
export function topLevelLines(
  lineAt: (line: number) => string,
  count: number,
  line: number,
  neighbours = 0,
): { first: number; last: number } {
  let first = topLevelLine(lineAt, line + 1);
  for (let more = 0; more < neighbours && first > 1; more += 1) first = topLevelLine(lineAt, first);
  const candidates: number[] = [];
  const lines: string[] = [];
  for (let at = first; at <= count && at - line < MOST_LINES && candidates.length < MOST_FORMS; at += 1) {
    lines.push(lineAt(at));
    if (at > line && BEGINS_FORM.test(lineAt(at))) candidates.push(at);
  }
  const { contexts } = new Layout(lines);
  const beginnings = candidates.filter((at) => contexts[at - first]!.within === 'code');
  return { first, last: (beginnings[neighbours] ?? first + lines.length) - 1 };
}
