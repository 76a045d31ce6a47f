/** The undefined name that an SBCL warning is about. Pure. */

interface UndefinedName {
  readonly symbol: string;
  /** The kinds of definition that would make the warning obsolete. */
  readonly kinds: readonly string[];
}

const KINDS: Record<string, readonly string[]> = {
  function: ['function', 'generic function'],
  variable: ['variable', 'constant'],
};

/** Returns the undefined function or variable that SBCL's warning is about; null for other messages. */
export function undefinedName(message: string): UndefinedName | null {
  const [, kind = '', symbol] = /^undefined (function|variable): ([^\s()]+)$/.exec(message) ?? [];
  return symbol === undefined ? null : { symbol, kinds: KINDS[kind]! };
}
