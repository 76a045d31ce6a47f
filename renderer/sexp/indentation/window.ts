/** The part of a long text that indentation has to read for one line: from the top-level form that the line is in. */
import { Layout } from './layout.ts';

/** Lines that are looked at before the line, and top-level forms. */
const MOST_LINES = 2000;
const MOST_FORMS = 4;

/**
 * The first line of the top-level form around `line`; all numbers begin with 1. It begins with `(`, and not in a string: a docstring
 * may have a parenthesis in the first column, too.
 */
export function topLevelLine(lineAt: (line: number) => string, line: number): number {
  const candidates: number[] = [];
  for (let at = line - 1; at >= 1 && line - at < MOST_LINES && candidates.length < MOST_FORMS; at -= 1)
    if (/^[^\s;)]*\(/.test(lineAt(at))) candidates.unshift(at);
  const [first] = candidates;
  if (first === undefined) return Math.max(1, line - MOST_LINES);
  const lines: string[] = [];
  for (let at = first; at < line; at += 1) lines.push(lineAt(at));
  const { contexts } = new Layout(lines);
  return candidates.findLast((at) => contexts[at - first]!.within === 'code') ?? first;
}

const IN_PACKAGE = /^\((?:cl:|common-lisp:)?in-package\s+(?:#?:|"|')?([^\s")]+)/i;

/** The package that the text is in before `line`; null when nothing says so. */
export function packageBefore(lineAt: (line: number) => string, line: number): string | null {
  for (let at = line - 1; at >= 1; at -= 1) {
    const found = IN_PACKAGE.exec(lineAt(at));
    if (found) return found[1]!.toUpperCase();
  }
  return null;
}
