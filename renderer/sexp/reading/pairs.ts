/**
 * Electric pairs: the effect of typing an opener, a closer or a quote in Lisp text. An opener also inserts its closer, and typing a closer
 * before an existing one moves over it, provided that the surrounding text stays balanced. The resulting text is the same as if every
 * character had been typed without this help.
 */

/**
 * `over`: move over the character after the caret. `pair`: insert the character with its partner. `plain`: insert only the character.
 * `out`: move out of the list around the caret, because the closer would not close anything. `escape`: insert the character with a
 * backslash. `refuse`: do nothing.
 */
export type Typed = 'over' | 'pair' | 'plain' | 'out' | 'escape' | 'refuse';

/** How strictly typing preserves the balance of parentheses; see the setting `structuralEditing`. */
export type Guard = 'off' | 'balanced' | 'strict';

/** True if the character before a caret may have closed a form, so that an inserted partner after the caret may be superfluous. */
export function endsSomething(text: string, caret: number): boolean {
  return /[)"|#]$|\\.$/.test(text.slice(Math.max(0, caret - 2), caret));
}

/** Characters that are typed in pairs. */
export const PAIRED = new Set(['(', ')', '"']);

export interface Caret {
  /** The top-level form around the caret. */
  readonly text: string;
  /** The offset in `text`, in UTF-16 code units. */
  readonly caret: number;
  /** True if the character after the caret was inserted automatically as the partner of a typed character. */
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
 * True if typing a semicolon at a caret must also insert a line break after it. In a strictly guarded form, the rest of the line may
 * contain delimiters that the form needs and that the comment would disable.
 */
export function commentBreaksLine({ text, caret, own }: Caret, guard: Guard): boolean {
  // An automatically inserted partner may end up in the comment, because it is typed over or removed later.
  if (guard !== 'strict' || own) return false;
  const { context, escaped } = scan(text.slice(0, caret));
  if (context !== 'code' || escaped || !balanceOf(text).isBalanced) return false;
  const end = text.indexOf('\n', caret);
  const rest = scan(text.slice(caret, end < 0 ? text.length : end));
  return rest.stray > 0 || rest.missing > 0 || rest.isOpen;
}

/**
 * Returns the closer to insert after a selection when `char` is typed and inserted before it; null if `char` replaces the selection. The
 * text between them stays selected, so that the next typed text replaces it.
 */
export function surroundingCloser(char: string, selected: string): string | null {
  if (char !== '(' && char !== '"') return null;
  if (selected.trim() === '') return null;
  return char === '(' ? ')' : selected === '"' || selected === "'" ? null : '"';
}

/** The maximum number of partners that are examined after a caret. */
const MOST_PARTNERS = 40;

/**
 * Returns the range of automatically inserted partners after a caret that should be deleted, because text inserted before them already
 * closes the same openers. It is the shortest range whose deletion leaves no superfluous closer. `isPartner` recognizes inserted partners
 * by offset. Returns null if no closer is superfluous, or if deleting partners would not help.
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

/** True if there is an unmatched closing parenthesis, or an unfinished string. */
function closesTooMuch(text: string): boolean {
  const { stray, isOpen } = scan(text);
  return stray > 0 || isOpen;
}

/**
 * True if deleting the character before `caret` should also delete the character after it, because together they form an empty list or
 * string.
 */
export function isEmptyPair(text: string, caret: number): boolean {
  const pair = text.slice(caret - 1, caret + 1);
  if (pair !== '()' && pair !== '""') return false;
  const { context, escaped } = scan(text.slice(0, caret - 1));
  return context === 'code' && !escaped;
}

/**
 * Returns the balance of a text. It is balanced if every list, string, name and comment in it is closed, and there is no unmatched closer.
 */
export function balanceOf(text: string): Pick<Scan, 'missing' | 'stray' | 'context'> & { isBalanced: boolean } {
  const { missing, stray, isOpen, context } = scan(text);
  return { isBalanced: missing === 0 && stray === 0 && !isOpen, missing, stray, context };
}

/** A partner is inserted before whitespace and closers, never before a form. */
function mayOpenBefore(next: string): boolean {
  return next === '' || /[\s);]/.test(next);
}

/**
 * True if a quote would directly follow a symbol. There, a quote most likely neither ends nor begins a string; after `#p`, however, it
 * begins a pathname.
 */
function endsInSymbol(before: string): boolean {
  const token = /[^\s()'`,";]*$/.exec(before)?.[0] ?? '';
  return token !== '' && token !== '@' && token !== '.' && !/^#[a-z]?$/i.test(token);
}

interface Scan {
  /** The context at the end of the text; `text` is a comment or `|a name|`. */
  context: 'code' | 'string' | 'text';
  /** True if something other than a list or a line comment is unfinished. */
  isOpen: boolean;
  /** True if a backslash at the end escapes the next character. */
  escaped: boolean;
  /** The number of unclosed lists. */
  missing: number;
  /** The number of unmatched closers. */
  stray: number;
}

const TOKENS = /\\[^]?|;[^\n]*\n?|#\||"|\||\(|\)/g;

/** Scans only the delimiters of a text. Never fails, because text is usually incomplete while it is being typed. */
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

/** Returns the offset after the `"` or `|` that ends the string or name at `from`; null if the text ends first. */
function endOfQuoted(text: string, from: number, quote: string): number | null {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote) return at + 1;
  }
  return null;
}

/** Returns the offset after the `|#` that ends a nested comment; null if the text ends first. */
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
