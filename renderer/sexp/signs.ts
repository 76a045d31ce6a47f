/** Signs of Lisp in a line of text: the reader macro and the directive of FORMAT at a place. Pure; whether a tilde stands in a control string is the caller's matter. */

/** The reader macro around `index` of a line, or ending there, such as `#'` or `;`, with a letter in upper case; null where none is. */
export function readerMacroAt(line: string, index: number): string | null {
  const found = at(line, index, /#\d*[^\s\d]|["'`,;()]/g);
  return found === null ? null : found.replace(/\d+/, '').toUpperCase();
}

/** The directive of FORMAT around `index` of a line, or ending there: its tilde and its character in upper case, such as `~R`; null where none is. */
export function directiveAt(line: string, index: number): string | null {
  const found = at(line, index, /~(?:(?:[+-]?\d+|'.|[vV#])?,?)*[:@]*\S/g);
  return found === null ? null : `~${found.at(-1)!.toUpperCase()}`;
}

/** The match around a place; where none is around it the one that ends there. */
function at(line: string, index: number, pattern: RegExp): string | null {
  const touching = [...line.matchAll(pattern)].filter(
    ({ 0: text, index: start }) => start <= index && index <= start + text.length,
  );
  const around = touching.find(({ 0: text, index: start }) => index < start + text.length);
  return (around ?? touching[0])?.[0] ?? null;
}
