/** Finds the lines of a text that contain a text or match a regular expression. */
import { createContext, Script } from 'node:vm';
import { WorkbenchError } from '#core/error.ts';

/** Lines that match, from 1. */
export type Matcher = (text: string) => { line: number; text: string }[];

/** A pattern that takes longer on one text goes round in circles, and everybody waits for it. */
const PATTERN_MS = 100;
/** Time limit of the second try, on a machine that had no time for the first one. */
const SECOND_MS = 1000;
const LONGEST_LINE = 300;

/**
 * Lines that contain a text, or match a regular expression; case counts when the pattern has capital letters.
 * @throws WorkbenchError `invalid` for a pattern that is none, and when it is used, for one that takes too long.
 */
export function matcher(pattern: string, regex: boolean): Matcher {
  const exact = /[A-Z]/.test(pattern);
  return regex ? matcherOfExpression(pattern, exact ? 'u' : 'ui') : matcherOfText(pattern, exact);
}

function matcherOfText(pattern: string, exact: boolean): Matcher {
  const folded = (text: string): string => (exact ? text : text.toLowerCase());
  const wanted = folded(pattern);
  return (text) => {
    if (!folded(text).includes(wanted)) return []; // most files, which need not be taken apart
    return linesOf(text.split('\n'), (line) => folded(line).includes(wanted));
  };
}

/** Run apart with a time limit, which is all that stops a pattern that backtracks without end. */
function matcherOfExpression(source: string, flags: string): Matcher {
  try {
    RegExp(source, flags);
  } catch (error) {
    throw new WorkbenchError('invalid', `${source} is no regular expression: ${(error as Error).message}.`);
  }
  const scope = { lines: [] as string[], source, flags };
  const context = createContext(scope); // one for all files: to make one takes longer than to search in most
  const script = new Script(
    '{ const p = new RegExp(source, flags); const hits = []; lines.forEach((l, i) => { if (p.test(l)) hits.push(i) }); hits }',
  );
  const run = (timeout: number): Iterable<number> | null => {
    try {
      return script.runInContext(context, { timeout }) as Iterable<number>;
    } catch {
      if (timeout < SECOND_MS) return null;
      throw new WorkbenchError('invalid', `The pattern ${source} takes too long. Search for a plain text instead.`);
    }
  };
  return (text) => {
    scope.lines = text.split('\n');
    const hits = new Set(run(PATTERN_MS) ?? run(SECOND_MS));
    return linesOf(scope.lines, (_line, index) => hits.has(index));
  };
}

function linesOf(lines: readonly string[], wanted: (line: string, index: number) => boolean): ReturnType<Matcher> {
  return lines.flatMap((line, index) => (wanted(line, index) ? [{ line: index + 1, text: shortened(line) }] : []));
}

function shortened(line: string): string {
  const text = line.trimEnd();
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
}
