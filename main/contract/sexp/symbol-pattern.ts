/** A regular expression that searches the text of files for a symbol. */

/** Characters that can appear before and after a symbol. */
const BEFORE = `\\s()'"\`,;:#|@`;
const BEHIND = `\\s()'"\`,;|`;

/**
 * Returns the source of an expression that matches only the complete symbol, without its package: `price` does not match in `price-list`,
 * and the symbol `price` does not match the keyword `:price`. The source is in lower case, for a case-insensitive search.
 */
export function symbolPattern(symbol: string): string {
  const isKeyword = symbol.startsWith(':');
  const name = symbol.slice(symbol.lastIndexOf(':') + 1).toLowerCase();
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  const start = isKeyword ? `(?<![^${BEFORE}]):` : `(?<![^${BEFORE}])(?<!(?:^|[\\s('\`,@]):)`;
  return `${start}${escaped}(?![^${BEHIND}])`;
}
