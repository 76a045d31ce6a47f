/** A regular expression by which the text of files is searched for a symbol. */

/** Characters that stand before a symbol, and behind it. */
const BEFORE = `\\s()'"\`,;:#|@`;
const BEHIND = `\\s()'"\`,;|`;

/**
 * The source of an expression that matches a symbol as a whole, without its package: `price` is not in `price-list`, and the symbol `price`
 * is not the keyword `:price`. It is in small letters, by which case makes no difference to a search.
 */
export function symbolPattern(symbol: string): string {
  const isKeyword = symbol.startsWith(':');
  const name = symbol.slice(symbol.lastIndexOf(':') + 1).toLowerCase();
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  const start = isKeyword ? `(?<![^${BEFORE}]):` : `(?<![^${BEFORE}])(?<!(?:^|[\\s('\`,@]):)`;
  return `${start}${escaped}(?![^${BEHIND}])`;
}
