/**
 * Electric pairs: what typing an opener, a closer or a quote does to Lisp text. An opener brings its closer, and a closer
 * that is typed where one stands already is passed over, as long as the text around stays balanced: what is typed is what
 * the text holds in the end.
 */

/** `over`: pass over the character after the caret. `pair`: insert the character with its partner. `plain`: insert it alone. */
export type Typed = 'over' | 'pair' | 'plain';

/** Characters that are typed in pairs. */
export const PAIRED = new Set(['(', ')', '"']);

/**
 * What typing `char` at `caret` (UTF-16 offset into `text`) does. `text` is the top-level form around the caret, see
 * {@link topLevelLines}. `own` says that the character after the caret was put in as the partner of one that was typed.
 */
export function typedAt(char: string, text: string, caret: number, own: boolean): Typed {
  const next = text.charAt(caret);
  const { context, escaped } = scan(text.slice(0, caret));
  if (escaped) return 'plain';
  if (context === 'string') return char === '"' && next === '"' ? 'over' : 'plain';
  if (context === 'text') return 'plain';
  if (char === ')') return next === ')' && (own || scan(text).missing === 0) ? 'over' : 'plain';
  if (!mayOpenBefore(next)) return 'plain';
  if (char === '"') return endsInSymbol(text.slice(0, caret)) ? 'plain' : 'pair';
  return scan(text).stray === 0 ? 'pair' : 'plain';
}

/** Whether deleting the character before `caret` takes the one after it along: both stand for an empty list or string. */
export function isEmptyPair(text: string, caret: number): boolean {
  const pair = text.slice(caret - 1, caret + 1);
  if (pair !== '()' && pair !== '""') return false;
  const { context, escaped } = scan(text.slice(0, caret - 1));
  return context === 'code' && !escaped;
}

/** A partner is put in before blank space and closers, never before a form. */
function mayOpenBefore(next: string): boolean {
  return next === '' || /[\s);]/.test(next);
}

/** A quote after a symbol's name ends nothing and begins nothing that is known yet; one after `#p` begins a pathname. */
function endsInSymbol(before: string): boolean {
  const token = /[^\s()'`,";]*$/.exec(before)?.[0] ?? '';
  return token !== '' && token !== '@' && token !== '.' && !/^#[a-z]?$/i.test(token);
}

interface Scan {
  /** What a character at the end would be part of; `text` is a comment or `|a name|`. */
  context: 'code' | 'string' | 'text';
  /** Whether a backslash at the end quotes what comes next. */
  escaped: boolean;
  /** Lists that are not closed. */
  missing: number;
  /** Closers that close nothing. */
  stray: number;
}

const TOKENS = /\\[^]?|;[^\n]*\n?|#\||"|\||\(|\)/g;

/** Reads a text for its parentheses alone. It never fails: text that is being typed is seldom whole. */
function scan(text: string): Scan {
  const result: Scan = { context: 'code', escaped: false, missing: 0, stray: 0 };
  TOKENS.lastIndex = 0;
  for (let token = TOKENS.exec(text); token; token = TOKENS.exec(text)) {
    const [found] = token;
    if (found === '(') result.missing += 1;
    else if (found === ')' && result.missing > 0) result.missing -= 1;
    else if (found === ')') result.stray += 1;
    else if (found === '\\') return { ...result, escaped: true };
    else if (found.startsWith(';') && !found.endsWith('\n')) return { ...result, context: 'text' };
    else if (found === '#|' || found === '"' || found === '|') {
      const end = found === '#|' ? endOfComment(text, TOKENS.lastIndex) : endOfQuoted(text, TOKENS.lastIndex, found);
      if (end === null) return { ...result, context: found === '"' ? 'string' : 'text', escaped: endsEscaped(text) };
      TOKENS.lastIndex = end;
    }
  }
  return result;
}

function endsEscaped(text: string): boolean {
  return (/\\*$/.exec(text)?.[0].length ?? 0) % 2 === 1;
}

/** Offset after the `"` or `|` that ends what begins before `from`; null when the text ends first. */
function endOfQuoted(text: string, from: number, quote: string): number | null {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote) return at + 1;
  }
  return null;
}

/** Offset after the `|#` that ends a nested comment; null when the text ends first. */
function endOfComment(text: string, from: number): number | null {
  const edge = /#\||\|#/g;
  edge.lastIndex = from;
  let depth = 1;
  for (let found = edge.exec(text); found; found = edge.exec(text)) {
    depth += found[0] === '#|' ? 1 : -1;
    if (depth === 0) return edge.lastIndex;
  }
  return null;
}

/** Lines on either side of the caret that are looked at. */
const LIMIT = 2000;

/**
 * The lines of the top-level form around line `at`: from the last line up to it that begins with `(` to the next one that
 * does. Line numbers begin with 1; `end` is the last line.
 */
export function topLevelLines(
  lineAt: (line: number) => string,
  count: number,
  at: number,
): { first: number; last: number } {
  let first = at;
  while (first > 1 && at - first < LIMIT && !lineAt(first).startsWith('(')) first -= 1;
  let last = at;
  while (last < count && last - at < LIMIT && !lineAt(last + 1).startsWith('(')) last += 1;
  return { first, last };
}
