/** Finds the lines of a text that contain a text or match a regular expression, and where in them. */
import { createContext, Script } from 'node:vm';
import { searchFlags, searchSource, type Sought } from '#contract/search-expression.ts';
import { WorkbenchError } from '#core/error.ts';

export interface Hit {
  /** The number of the line, from 1. */
  readonly line: number;
  /** Where the first match begins in the line, from 1. */
  readonly column: number;
  /** The line, or of a very long one the part about the first match. */
  readonly text: string;
  /** Starts and ends of the matches in `text`, as far as it shows them. */
  readonly marks: readonly Mark[];
}

type Mark = readonly [start: number, end: number];

/** Finds the lines of a text that match. */
export interface Matcher {
  (text: string): Hit[];
  /** Finds the lines of several texts, in less time than one after the other. */
  all(texts: readonly string[]): Hit[][];
}

/** A pattern that takes longer on one text goes round in circles, and everybody waits for it. */
const PATTERN_MS = 100;
/** Time limit of the second try, on a machine that had no time for the first one. */
const SECOND_MS = 1000;
const LONGEST_LINE = 300;
/** Characters that are shown before a match so far behind that the begin of its line is left out. */
const BEFORE_MATCH = 100;
/** Matches of one line that are told. */
const MOST_MARKS = 50;

/**
 * Lines that contain a text, or match a regular expression. Unless `matchCase` says otherwise, case counts when the pattern has capital
 * letters.
 * @throws WorkbenchError `invalid` for a pattern that is none, and when it is used, for one that takes too long.
 */
export function matcher(
  pattern: string,
  { regex = false, matchCase = /[A-Z]/.test(pattern), wholeWord = false }: Partial<Omit<Sought, 'pattern'>> = {},
): Matcher {
  const sought = { pattern, regex, matchCase, wholeWord };
  return regex ? matcherOfExpression(sought) : matcherOfText(sought);
}

function matcherOfText(sought: Sought): Matcher {
  const folded = (text: string): string => (sought.matchCase ? text : text.toLowerCase());
  const wanted = folded(sought.pattern);
  const expression = RegExp(searchSource(sought), `${searchFlags(sought)}g`);
  const matches = (text: string): Hit[] => {
    if (!folded(text).includes(wanted)) return []; // most files, which need not be taken apart
    return linesOf(text).flatMap((line, index) => {
      if (!folded(line).includes(wanted)) return [];
      const marks: Mark[] = [];
      for (const { 0: found, index: start } of line.matchAll(expression)) {
        marks.push([start, start + found.length]);
        if (marks.length === MOST_MARKS) break;
      }
      return sought.wholeWord && marks.length === 0 ? [] : [hitOf(line, index, marks)];
    });
  };
  return Object.assign(matches, { all: (texts: readonly string[]) => texts.map((text) => matches(text)) });
}

/** Finds in each line of each text whether it matches, and in those that do where: for each text pairs of an index and its marks. */
const IN_CONTEXT = `{
  const first = new RegExp(source, flags);
  const all = new RegExp(source, flags + 'g');
  texts.map((lines) => {
   const hits = [];
   lines.forEach((line, index) => {
    if (!first.test(line)) return;
    const marks = [];
    for (const { 0: found, index: start } of line.matchAll(all)) {
      if (found !== '') marks.push([start, start + found.length]);
      if (marks.length === most) break;
    }
    hits.push([index, marks]);
   });
   return hits;
  });
}`;

/** Run apart with a time limit, which is all that stops a pattern that backtracks without end. */
function matcherOfExpression(sought: Sought): Matcher {
  const flags = searchFlags(sought);
  try {
    RegExp(sought.pattern, flags);
  } catch (error) {
    throw new WorkbenchError('invalid', `${sought.pattern} is no regular expression: ${(error as Error).message}.`);
  }
  const scope = { texts: [] as string[][], source: searchSource(sought), flags, most: MOST_MARKS };
  const context = createContext(scope); // one for all files: to make one takes longer than to search in most
  const script = new Script(IN_CONTEXT);
  const run = (timeout: number): Iterable<Iterable<[number, Mark[]]>> | null => {
    try {
      return script.runInContext(context, { timeout }) as Iterable<Iterable<[number, Mark[]]>>;
    } catch {
      if (timeout < SECOND_MS) return null;
      const how = 'takes too long. Search for a plain text instead.';
      throw new WorkbenchError('invalid', `The pattern ${sought.pattern} ${how}`);
    }
  };
  const hits = (found: Iterable<Iterable<[number, Mark[]]>>): Hit[][] =>
    [...found].map((each, at) => [...each].map(([index, marks]) => hitOf(scope.texts[at]![index]!, index, marks)));
  const matches = (text: string): Hit[] => {
    scope.texts = [linesOf(text)];
    return hits(run(PATTERN_MS) ?? run(SECOND_MS) ?? [])[0] ?? [];
  };
  /** Each text by itself has its time where all together take too long. */
  const all = (texts: readonly string[]): Hit[][] => {
    scope.texts = texts.map(linesOf);
    const found = run(PATTERN_MS);
    return found ? hits(found) : texts.map((text) => matches(text));
  };
  return Object.assign(matches, { all });
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

function hitOf(line: string, index: number, marks: readonly Mark[]): Hit {
  const first = marks[0]?.[0] ?? 0;
  return { line: index + 1, column: first + 1, ...excerpt(line.trimEnd(), marks, first) };
}

/** The begin of a line; where the first match is beyond that, the part about it. */
function excerpt(line: string, marks: readonly Mark[], first: number): Pick<Hit, 'text' | 'marks'> {
  const from = first <= LONGEST_LINE - BEFORE_MATCH ? 0 : first - BEFORE_MATCH;
  const to = Math.min(line.length, from + LONGEST_LINE);
  const before = from > 0 ? '…' : '';
  const shift = before.length - from;
  return {
    text: `${before}${line.slice(from, to)}${to < line.length ? '…' : ''}`,
    marks: marks.flatMap(([start, end]): Mark[] => (start < to ? [[start + shift, Math.min(end, to) + shift]] : [])),
  };
}
