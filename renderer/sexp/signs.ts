/**
 * Finds syntax signs in a line of Lisp: the reader macro and the FORMAT directive at a position. Pure. The caller determines whether a
 * tilde is in a control string.
 */

/**
 * Returns the reader macro, such as `#'` or `;`, that contains `index` of a line or ends there; a letter in it is in upper case. Returns
 * null if there is none.
 */
export function readerMacroAt(line: string, index: number): string | null {
  const found = at(line, index, /#\d*[^\s\d]|["'`,;()]/g);
  return found === null ? null : found.replace(/\d+/, '').toUpperCase();
}

/**
 * Returns the FORMAT directive that contains `index` of a line or ends there, as its tilde and its character in upper case, such as `~R`;
 * null if there is none.
 */
export function directiveAt(line: string, index: number): string | null {
  const found = at(line, index, /~(?:(?:[+-]?\d+|'.|[vV#])?,?)*[:@]*\S/g);
  return found === null ? null : `~${found.at(-1)!.toUpperCase()}`;
}

/** Returns the match that contains a position, otherwise the match that ends there. */
function at(line: string, index: number, pattern: RegExp): string | null {
  const touching = [...line.matchAll(pattern)].filter(
    ({ 0: text, index: start }) => start <= index && index <= start + text.length,
  );
  const around = touching.find(({ 0: text, index: start }) => index < start + text.length);
  return (around ?? touching[0])?.[0] ?? null;
}
