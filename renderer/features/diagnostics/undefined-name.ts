/** The name in SBCL's warning that it is undefined. Pure. */

interface UndefinedName {
  readonly symbol: string;
  /** The kinds of meaning that the name lacked. */
  readonly kinds: readonly string[];
}

const KINDS: Record<string, readonly string[]> = {
  function: ['function', 'generic function'],
  variable: ['variable', 'constant'],
};

/** The name that SBCL's warning is about, of a function or a variable; null for other messages. */
export function undefinedName(message: string): UndefinedName | null {
  const [, kind = '', symbol] = /^undefined (function|variable): ([^\s()]+)$/.exec(message) ?? [];
  return symbol === undefined ? null : { symbol, kinds: KINDS[kind]! };
}
