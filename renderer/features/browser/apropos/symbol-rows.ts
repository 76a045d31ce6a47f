/** The rows of Apropos, and the groups of kinds for filtering. Pure. */
import type { SymbolRecord } from '#contract/image/introspection.ts';
import type { NamedSymbol } from '../../../base/image/documented.ts';
import { shownPackage } from '../../../sexp/packages.ts';
import type { TreeRow } from '../../../ui/panels/tree.tsx';

interface KindGroup {
  readonly id: string;
  readonly title: string;
  /** The kinds in this group, as the image names them. */
  readonly kinds: readonly string[];
}

export const KIND_GROUPS: readonly KindGroup[] = [
  { id: 'functions', title: 'Functions', kinds: ['function', 'generic-function', 'setf-function', 'setf-expander'] },
  { id: 'macros', title: 'Macros', kinds: ['macro', 'special-operator', 'compiler-macro', 'symbol-macro'] },
  { id: 'variables', title: 'Variables', kinds: ['variable', 'constant'] },
  { id: 'types', title: 'Classes and types', kinds: ['class', 'structure', 'condition', 'type'] },
];

export interface AproposRow extends TreeRow {
  readonly found: SymbolRecord;
  /** The kinds of things that the symbol names, as text. */
  readonly kinds: string;
  /** The symbol to look up. */
  readonly symbol: NamedSymbol;
}

/** Returns the rows for symbols, in the order in which the symbols were found. */
export function aproposRows(symbols: readonly SymbolRecord[]): AproposRow[] {
  return symbols.map((found, index) => {
    const kinds = found.kinds.map((kind) => kind.replaceAll('-', ' ')).join(', ');
    const home = shownPackage(found.package ?? 'uninterned');
    return {
      id: found.printed,
      level: 1,
      label: [found.name.toLowerCase(), found.lambdaList?.toLowerCase(), found.documentation, kinds, home]
        .filter(Boolean)
        .join(' '),
      expanded: null,
      position: index + 1,
      siblings: symbols.length,
      found,
      kinds,
      symbol: { symbol: found.printed, package: 'COMMON-LISP-USER' },
    };
  });
}
