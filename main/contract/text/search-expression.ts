/** File search as a regular expression. The same source is used to find and to replace, for the person and for agents. */

/** A search pattern and its options. */
export interface Sought {
  readonly pattern: string;
  /** True if the pattern is a regular expression, false for a plain text. */
  readonly regex: boolean;
  /** True for a case-sensitive search. */
  readonly matchCase: boolean;
  /** True to match only whole words: `price` does not match in `price-list`, but matches in `shop:price`. */
  readonly wholeWord: boolean;
}

/** Characters that are not part of a word: the characters that end a symbol, and the markers of packages and of the reader. */
const SEPARATORS = `\\s()\\[\\]{}'"\`,;:#|@`;
/**
 * The beginning of a word, or of a match that begins with a separator. `END` matches the end in the same way, and also matches before the
 * full stop of a sentence.
 */
const BEGIN = `(?:(?<![^${SEPARATORS}])|(?=[${SEPARATORS}]))`;
const END = `(?:(?![^${SEPARATORS}])|(?=\\.(?![^${SEPARATORS}]))|(?<=[${SEPARATORS}]))`;

/**
 * Returns the source of the expression. It adds no groups to the pattern's own, so that `$1` in a replacement refers to the first group of
 * the pattern.
 */
export function searchSource({ pattern, regex, wholeWord }: Pick<Sought, 'pattern' | 'regex' | 'wholeWord'>): string {
  const source = regex ? pattern : pattern.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return wholeWord ? `${BEGIN}(?:${source})${END}` : source;
}

/** Returns the flags of the expression. */
export function searchFlags({ matchCase }: Pick<Sought, 'matchCase'>): string {
  return matchCase ? 'u' : 'iu';
}
