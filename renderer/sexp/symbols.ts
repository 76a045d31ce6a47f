/**
 * Finds symbols in a line of Lisp text: the symbol at a position, and the typed part of a symbol. Pure. The caller must exclude strings and
 * comments.
 */

/** A symbol as written, with its package prefix, between two indexes of its line. */
export interface WrittenSymbol {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const TERMINATING = /[\s()"';`,]/;

/** Returns the symbol that contains `index` of a line or ends there, or null. */
export function symbolAt(line: string, index: number): WrittenSymbol | null {
  const bars = inBars(line);
  const isEnd = (at: number) => !bars.has(at) && ends(line, at);
  let start = index;
  while (start > 0 && !isEnd(start - 1)) start -= 1;
  let end = index;
  while (end < line.length && !isEnd(end)) end += 1;
  while (start < end && isPrefix(line, start)) start += 1;
  const text = line.slice(start, end);
  return text === '' || isNumber(text) || text.startsWith('#') ? null : { text, start, end };
}

/** Returns the symbol at an offset of a text that may have several lines. Its indexes are offsets in the text. */
export function symbolIn(text: string, offset: number): WrittenSymbol | null {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const lineEnd = text.indexOf('\n', offset);
  const found = symbolAt(text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd), offset - lineStart);
  return found && { text: found.text, start: found.start + lineStart, end: found.end + lineStart };
}

/** Returns the part of a symbol that was typed before `index`; empty if no symbol was begun. */
export function typedBefore(line: string, index: number): WrittenSymbol {
  const whole = symbolAt(line.slice(0, index), index);
  return whole ?? { text: '', start: index, end: index };
}

/** Returns the name of a symbol without its package prefix. */
export function bareName(symbol: string): string {
  return symbol.slice(symbol.lastIndexOf(':') + 1);
}

/** Returns the indexes between the bars of names such as `|a b|`; a name that does not end on the line has none. */
function inBars(line: string): ReadonlySet<number> {
  const found = new Set<number>();
  if (!line.includes('|')) return found;
  // Matches escaped characters, strings, comments and names in bars from the left; other characters are skipped.
  const parts = /\\.|"(?:[^"\\]|\\.)*"?|;.*|#\|.*?(?:\|#|$)|\|(?:[^|\\]|\\.)*\|/gs;
  for (const { 0: part, index } of line.matchAll(parts))
    if (part.startsWith('|')) for (let at = index; at < index + part.length; at += 1) found.add(at);
  return found;
}

function ends(line: string, index: number): boolean {
  return TERMINATING.test(line[index]!) && line[index - 1] !== '\\';
}

/** The `@` of `,@` and the `#` of `#:` are not part of a symbol. */
function isPrefix(line: string, index: number): boolean {
  if (line[index] === '@') return line[index - 1] === ',';
  return line[index] === '#' && line[index + 1] === ':';
}

function isNumber(text: string): boolean {
  return /^[+-]?(\d+\/\d+|\d*\.?\d+(e[+-]?\d+)?|\d+\.)$/i.test(text) || /^\.+$/.test(text);
}
