/** Symbols in a line of Lisp text: which one stands at a place, and how far it was typed. Pure; strings and comments are the caller's matter. */

/** A symbol as written, with its package prefix, between two indexes of its line. */
export interface WrittenSymbol {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const TERMINATING = /[\s()"';`,]/;

/** Returns the symbol that stands around `index` of a line, or ends there; null where none does. */
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

/** Returns the symbol around an offset of a text of several lines, by offsets of the text. */
export function symbolIn(text: string, offset: number): WrittenSymbol | null {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const lineEnd = text.indexOf('\n', offset);
  const found = symbolAt(text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd), offset - lineStart);
  return found && { text: found.text, start: found.start + lineStart, end: found.end + lineStart };
}

/** Returns the part of a symbol that was typed before `index`: empty where none is begun. */
export function typedBefore(line: string, index: number): WrittenSymbol {
  const whole = symbolAt(line.slice(0, index), index);
  return whole ?? { text: '', start: index, end: index };
}

/** The name of a symbol without its package prefix. */
export function bareName(symbol: string): string {
  return symbol.slice(symbol.lastIndexOf(':') + 1);
}

/** The indexes between the bars of names such as `|a b|`; none of a name that does not end on the line. */
function inBars(line: string): ReadonlySet<number> {
  const found = new Set<number>();
  if (!line.includes('|')) return found;
  // Escaped characters, strings, comments and names in bars, from the left; what is none of them is passed over.
  const parts = /\\.|"(?:[^"\\]|\\.)*"?|;.*|#\|.*?(?:\|#|$)|\|(?:[^|\\]|\\.)*\|/gs;
  for (const { 0: part, index } of line.matchAll(parts))
    if (part.startsWith('|')) for (let at = index; at < index + part.length; at += 1) found.add(at);
  return found;
}

function ends(line: string, index: number): boolean {
  return TERMINATING.test(line[index]!) && line[index - 1] !== '\\';
}

/** The `@` of `,@` and the `#` of `#:` belong to no symbol. */
function isPrefix(line: string, index: number): boolean {
  if (line[index] === '@') return line[index - 1] === ',';
  return line[index] === '#' && line[index + 1] === ':';
}

function isNumber(text: string): boolean {
  return /^[+-]?(\d+\/\d+|\d*\.?\d+(e[+-]?\d+)?|\d+\.)$/i.test(text) || /^\.+$/.test(text);
}
