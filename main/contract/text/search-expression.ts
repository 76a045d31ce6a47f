/** The search in files as a regular expression: one source for finding what a person or an agent asks for, and for replacing it. */

/** A pattern, and the way in which it is looked for. */
export interface Sought {
  readonly pattern: string;
  /** The pattern is a regular expression, not a text. */
  readonly regex: boolean;
  /** Small and capital letters are told apart. */
  readonly matchCase: boolean;
  /** A match is a whole word: `price` is not in `price-list`, and is in `shop:price`. */
  readonly wholeWord: boolean;
}

/** Characters that are part of no word: those that end a symbol, and the marks of packages and of the reader. */
const SEPARATORS = `\\s()\\[\\]{}'"\`,;:#|@`;
/** The begin of a word, or a match that begins with a separator; and the end of one, also before the full stop of a sentence. */
const BEGIN = `(?:(?<![^${SEPARATORS}])|(?=[${SEPARATORS}]))`;
const END = `(?:(?![^${SEPARATORS}])|(?=\\.(?![^${SEPARATORS}]))|(?<=[${SEPARATORS}]))`;

/** The source of the expression. It adds no groups to those of the pattern, so that `$1` of a replacement is the pattern's own. */
export function searchSource({ pattern, regex, wholeWord }: Pick<Sought, 'pattern' | 'regex' | 'wholeWord'>): string {
  const source = regex ? pattern : pattern.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return wholeWord ? `${BEGIN}(?:${source})${END}` : source;
}

/** The flags of the expression. */
export function searchFlags({ matchCase }: Pick<Sought, 'matchCase'>): string {
  return matchCase ? 'u' : 'iu';
}
