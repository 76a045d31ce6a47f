/** Finds the lines of a text that contain a string or match a regular expression, and the positions of the matches. */
import { createContext, Script } from 'node:vm';
import { searchFlags, searchSource, type Sought } from '#contract/text/search-expression.ts';
import { WorkbenchError } from '#core/base/error.ts';

export interface Hit {
  /** The number of the line, from 1. */
  readonly line: number;
  /** The start of the first match in the line, from 1. */
  readonly column: number;
  /** The line, or the part around the first match if the line is very long. */
  readonly text: string;
  /** The starts and ends of the matches that `text` shows. */
  readonly marks: readonly Mark[];
}

type Mark = readonly [start: number, end: number];

/** Finds the matching lines of a text. */
export interface Matcher {
  (text: string): Hit[];
  /** Finds the matching lines of several texts in one call, which is faster than separate calls. */
  all(texts: readonly string[]): Hit[][];
}

/**
 * The time limit, in milliseconds, for one text. A pattern that takes longer probably backtracks without end and would block the program.
 */
const PATTERN_MS = 100;
/** The time limit, in milliseconds, for a second try, in case the machine was too busy for the first one. */
const SECOND_MS = 1000;
const LONGEST_LINE = 300;
/** The number of characters shown before a match that is far from the start of its line. */
const BEFORE_MATCH = 100;
/** The maximum number of reported matches in one line. */
const MOST_MARKS = 50;

/**
 * Returns a matcher for lines that contain a string, or match a regular expression. Without `matchCase`, case is significant if the pattern
 * has capital letters.
 * @throws WorkbenchError `invalid` for an invalid pattern. For a pattern that takes too long, the matcher itself throws this error.
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
    if (!folded(text).includes(wanted)) return []; // a quick check that skips most files
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

/** Finds the matches in several lines. Returns pairs of index and marks for the lines that match. */
const SEARCH_LINES = `
  const marksIn = (line) => {
    if (!first.test(line)) return null;
    const marks = [];
    for (const { 0: found, index: start } of line.matchAll(every)) {
      if (found !== '') marks.push([start, start + found.length]);
      if (marks.length === most) break;
    }
    return marks;
  };
  const searchLines = (text) => {
    const hits = [];
    text.split(/\\r?\\n/).forEach((line, index) => {
      const marks = marksIn(line);
      if (marks) hits.push([index, line, marks]);
    });
    return hits;
  };`;

/**
 * Finds the same matches, but faster. It searches the whole text, in which `^` and `$` match at every line, and examines only the lines in
 * which a match begins. It may miss lines only if the pattern excludes text beside a match, because such a pattern treats the end of a line
 * differently from the end of a text.
 */
const SEARCH_WHOLE = `
  const searchWhole = (text) => {
    const hits = [];
    let [number, counted] = [0, 0];
    whole.lastIndex = 0;
    for (let match = whole.exec(text); match; match = whole.exec(text)) {
      const begin = match.index === 0 ? 0 : text.lastIndexOf('\\n', match.index - 1) + 1;
      const newline = text.indexOf('\\n', match.index);
      const end = newline < 0 ? text.length : newline;
      const line = text.slice(begin, newline >= 0 && end > begin && text[end - 1] === '\\r' ? end - 1 : end);
      const marks = marksIn(line);
      if (marks) {
        for (let at = text.indexOf('\\n', counted); at >= 0 && at < begin; at = text.indexOf('\\n', at + 1)) number += 1;
        counted = begin;
        hits.push([number, line, marks]);
      }
      if (newline < 0) break;
      whole.lastIndex = newline + 1;
    }
    return hits;
  };`;

/**
 * Matches pattern syntax with which a line may match when it is searched separately, although it does not match as part of the whole text.
 */
const ALONE = /\(\?(?:!|<!|-|[a-z]+-)/;

type Lines = Iterable<[index: number, line: string, marks: Mark[]]>;

/** Runs the pattern in a separate context with a time limit, which is the only way to stop endless backtracking. */
function matcherOfExpression(sought: Sought): Matcher {
  const flags = searchFlags(sought);
  try {
    RegExp(sought.pattern, flags);
  } catch (error) {
    throw new WorkbenchError(
      'invalid',
      `${sought.pattern} is not a valid regular expression: ${(error as Error).message}.`,
    );
  }
  const source = searchSource(sought);
  const scope = { texts: [] as readonly string[], source, flags, most: MOST_MARKS };
  const context = createContext(scope); // shared by all files, because creating a context takes longer than most searches
  new Script(
    `const first = new RegExp(source, flags), every = new RegExp(source, flags + 'g'), whole = new RegExp(source, flags + 'gm');
    ${SEARCH_LINES} ${SEARCH_WHOLE}`,
  ).runInContext(context);
  const byLine = new Script('texts.map(searchLines)');
  const inWhole = new Script('texts.map(searchWhole)');
  let script = ALONE.test(sought.pattern) ? byLine : inWhole;
  const run = (texts: readonly string[], timeout: number): Hit[][] | null => {
    scope.texts = texts;
    try {
      const found = script.runInContext(context, { timeout }) as Iterable<Lines>;
      return [...found].map((lines) => [...lines].map(([index, line, marks]) => hitOf(line, index, marks)));
    } catch {
      script = byLine; // a pattern that crosses line ends may be slow on a whole text but fast on single lines
      return null;
    }
  };
  const matches = (text: string): Hit[] => {
    const hits = run([text], PATTERN_MS) ?? run([text], SECOND_MS);
    if (hits) return hits[0]!;
    const how = 'takes too long. Search for a plain text instead.';
    throw new WorkbenchError('invalid', `The pattern ${sought.pattern} ${how}`);
  };
  /** Each text gets its own time limit if all together take too long. */
  const all = (texts: readonly string[]): Hit[][] => run(texts, PATTERN_MS) ?? texts.map((text) => matches(text));
  return Object.assign(matches, { all });
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

function hitOf(line: string, index: number, marks: readonly Mark[]): Hit {
  const first = marks[0]?.[0] ?? 0;
  return { line: index + 1, column: first + 1, ...excerpt(line.trimEnd(), marks, first) };
}

/** Returns the start of a line, or the part around the first match if the match is far from the start. */
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
