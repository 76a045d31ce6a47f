/**
 * Electric pairs: the effect of typing an opener, a closer or a quote in Lisp text. An opener brings its closer, and a closer
 * that is typed where one stands already is passed over, as long as the text around stays balanced: what is typed is what
 * the text holds in the end.
 */

/**
 * `over`: pass over the character after the caret. `pair`: insert the character with its partner. `plain`: insert it
 * alone. `out`: leave the list around, since the closer would close nothing. `escape`: insert it with a backslash. `refuse`: do
 * nothing.
 */
export type Typed = 'over' | 'pair' | 'plain' | 'out' | 'escape' | 'refuse';

/** The guard of the balance, see the setting `structuralEditing`. */
export type Guard = 'off' | 'balanced' | 'strict';

/** True when the character before a caret may have ended what was begun, so that a partner behind it may be one too many. */
export function endsSomething(text: string, caret: number): boolean {
  return /[)"|#]$|\\.$/.test(text.slice(Math.max(0, caret - 2), caret));
}

/** Characters that are typed in pairs. */
export const PAIRED = new Set(['(', ')', '"']);

export interface Caret {
  /** The top-level form around the caret. */
  readonly text: string;
  /** UTF-16 offset into `text`. */
  readonly caret: number;
  /** True when the character after the caret was put in as the partner of one that was typed. */
  readonly own: boolean;
}

/** Returns the effect of typing `char` at a caret. */
export function typedAt(char: string, { text, caret, own }: Caret, guard: Guard = 'off'): Typed {
  const next = text.charAt(caret);
  const { context, escaped, missing: depth } = scan(text.slice(0, caret));
  if (escaped) return 'plain';
  const isWhole = (): boolean => guard !== 'off' && balanceOf(text).isBalanced;
  if (context === 'string') {
    if (char !== '"') return 'plain';
    if (next === '"') return 'over';
    return guard === 'strict' && isWhole() ? 'escape' : 'plain';
  }
  if (context === 'text') return 'plain';
  if (char === ')') {
    if (next === ')' && (own || scan(text).missing === 0)) return 'over';
    if (!isWhole()) return 'plain';
    if (depth > 0) return 'out';
    return guard === 'strict' ? 'refuse' : 'plain';
  }
  const isStrict = guard === 'strict' && isWhole();
  if (!isStrict && !mayOpenBefore(next)) return 'plain';
  if (char === '"') return !isStrict && endsInSymbol(text.slice(0, caret)) ? 'plain' : 'pair';
  return scan(text).stray === 0 ? 'pair' : 'plain';
}

/**
 * True when a semicolon that is typed at a caret has to bring a line break behind it: in a form that is guarded strictly, the rest of
 * the line closes or ends what was begun before the caret, and would be lost in the comment.
 */
export function commentBreaksLine({ text, caret, own }: Caret, guard: Guard): boolean {
  // What was put in as a partner is typed over or taken away later.
  if (guard !== 'strict' || own) return false;
  const { context, escaped } = scan(text.slice(0, caret));
  if (context !== 'code' || escaped || !balanceOf(text).isBalanced) return false;
  const end = text.indexOf('\n', caret);
  const rest = scan(text.slice(caret, end < 0 ? text.length : end));
  return rest.stray > 0 || rest.missing > 0 || rest.isOpen;
}

/**
 * The closer that goes behind a selection when `char` is typed over it, which goes before it; null where what is selected is replaced.
 * What is typed next replaces what is selected in between.
 */
export function surroundingCloser(char: string, selected: string): string | null {
  if (char !== '(' && char !== '"') return null;
  if (selected.trim() === '') return null;
  return char === '(' ? ')' : selected === '"' || selected === "'" ? null : '"';
}

/** Partners that are looked at behind a caret. */
const MOST_PARTNERS = 40;

/**
 * The characters after a caret that are to go, since what came in front of it brought what they would close: partners that were put
 * in, as `isPartner` tells by offset; as few as leave nothing closed twice. Null where nothing is, or still would be without them.
 */
export function replacedPartners(
  text: string,
  caret: number,
  isPartner: (offset: number) => boolean,
): { start: number; end: number } | null {
  if (!isPartner(caret) || !closesTooMuch(text)) return null;
  let last = caret + 1;
  while (last < caret + MOST_PARTNERS && isPartner(last)) last += 1;
  for (let count = 1; count <= last - caret; count += 1)
    for (let start = caret; start + count <= last; start += 1)
      if (!closesTooMuch(text.slice(0, start) + text.slice(start + count))) return { start, end: start + count };
  return null;
}

/** True when a parenthesis closes nothing, or a quote opens what should have ended. */
function closesTooMuch(text: string): boolean {
  const { stray, isOpen } = scan(text);
  return stray > 0 || isOpen;
}

/** True when deleting the character before `caret` takes the one after it along: both stand for an empty list or string. */
export function isEmptyPair(text: string, caret: number): boolean {
  const pair = text.slice(caret - 1, caret + 1);
  if (pair !== '()' && pair !== '""') return false;
  const { context, escaped } = scan(text.slice(0, caret - 1));
  return context === 'code' && !escaped;
}

/** True when every list, string, name and comment of a text ends in it, and nothing else is closed. */
export function balanceOf(text: string): Pick<Scan, 'missing' | 'stray' | 'context'> & { isBalanced: boolean } {
  const { missing, stray, isOpen, context } = scan(text);
  return { isBalanced: missing === 0 && stray === 0 && !isOpen, missing, stray, context };
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
  /** The context of a character at the end; `text` is a comment or `|a name|`. */
  context: 'code' | 'string' | 'text';
  /** True when something else than a list or a line's comment is not ended. */
  isOpen: boolean;
  /** True when a backslash at the end quotes what comes next. */
  escaped: boolean;
  /** The number of lists that are not closed. */
  missing: number;
  /** The number of closers that close nothing. */
  stray: number;
}

const TOKENS = /\\[^]?|;[^\n]*\n?|#\||"|\||\(|\)/g;

/** Reads a text for its parentheses alone. It never fails: text that is being typed is seldom whole. */
function scan(text: string): Scan {
  const result: Scan = { context: 'code', isOpen: false, escaped: false, missing: 0, stray: 0 };
  TOKENS.lastIndex = 0;
  for (let token = TOKENS.exec(text); token; token = TOKENS.exec(text)) {
    const [found] = token;
    if (found === '(') result.missing += 1;
    else if (found === ')' && result.missing > 0) result.missing -= 1;
    else if (found === ')') result.stray += 1;
    else if (found === '\\') return { ...result, isOpen: true, escaped: true };
    else if (found.startsWith(';') && !found.endsWith('\n')) return { ...result, context: 'text' };
    else if (found === '#|' || found === '"' || found === '|') {
      const end = found === '#|' ? endOfComment(text, TOKENS.lastIndex) : endOfQuoted(text, TOKENS.lastIndex, found);
      if (end === null)
        return { ...result, context: found === '"' ? 'string' : 'text', isOpen: true, escaped: endsEscaped(text) };
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
