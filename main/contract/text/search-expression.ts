/** File search as a regular expression. The same source is used to find and to replace, for the person and for agents. */

/** A search pattern and its options. */
export interface Sought {
  readonly pattern: string;
  /** True if the pattern is a regular expression; false if it is plain text. */
  readonly regex: boolean;
  /** True for a case-sensitive search. */
  readonly matchCase: boolean;
  /** True to match only whole words: `price` does not match in `price-list`, but matches in `shop:price`. */
  readonly wholeWord: boolean;
}

/** Characters that are not part of a word: those that end a symbol, and those that mark packages and reader syntax. */
const SEPARATORS = `\\s()\\[\\]{}'"\`,;:#|@`;
/**
 * The start of a word, or of a match that begins with a separator. `END` is its counterpart for the end, and also matches before the full
 * stop of a sentence.
 */
const BEGIN = `(?:(?<![^${SEPARATORS}])|(?=[${SEPARATORS}]))`;
const END = `(?:(?![^${SEPARATORS}])|(?=\\.(?![^${SEPARATORS}]))|(?<=[${SEPARATORS}]))`;

/**
 * Returns the source of the expression. It does not add groups to those of the pattern, so that `$1` in a replacement refers to the
 * pattern's first group.
 */
export function searchSource({ pattern, regex, wholeWord }: Pick<Sought, 'pattern' | 'regex' | 'wholeWord'>): string {
  const source = regex ? pattern : pattern.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return wholeWord ? `${BEGIN}(?:${source})${END}` : source;
}

/** Returns the flags of the expression. */
export function searchFlags({ matchCase }: Pick<Sought, 'matchCase'>): string {
  return matchCase ? 'u' : 'iu';
}
