/** The name shown in the Documentation and References panels: the one at the caret, unless the person pinned another. */
import { showSide } from '../layout/layout-store.ts';
import { showRegion } from '../layout/regions.ts';
import { makeStore } from '../store.ts';

export interface NamedSymbol {
  /** The name as written, possibly with a package prefix. */
  readonly symbol: string;
  /** The package in which the name is read; null for the person's current package. */
  readonly package: string | null;
  /** The REPL in whose image the name is looked up; the shared image if omitted. */
  readonly repl?: string;
}

interface Documented {
  /** The documented name; null until there is one. */
  readonly name: NamedSymbol | null;
  /** True if the name stays when the caret moves. */
  readonly pinned: boolean;
  /** The name whose references are listed. */
  readonly referred: NamedSymbol | null;
  /** Which references are listed: all uses, or a call tree of callers or callees. */
  readonly view: ReferencesView;
}

export type ReferencesView = 'all' | 'called-by' | 'calls';

export const [documented, useDocumented] = makeStore<Documented>({
  name: null,
  pinned: false,
  referred: null,
  view: 'all',
});

/** Shows the name at the caret after the caret has moved. */
export function followName(name: NamedSymbol): void {
  const { name: known, pinned } = documented.getState();
  if (pinned || (known?.symbol === name.symbol && known.package === name.package && known.repl === name.repl)) return;
  documented.setState({ name });
}

/** Shows a name that the person requested. It stays until the caret moves to another name, or permanently if it is pinned. */
export function showName(name: NamedSymbol): void {
  documented.setState({ name });
}

export function togglePinned(): void {
  documented.setState(({ pinned }) => ({ pinned: !pinned }));
}

/** Lists the uses of a name, or shows a tree of the functions that call it or that it calls. The list gets the focus. */
export function listReferencesOf(name: NamedSymbol, view: ReferencesView = 'all'): void {
  documented.setState({ referred: name, view });
  showRegion('References', () => showSide('references'));
}

export function setReferencesView(view: ReferencesView): void {
  documented.setState({ view });
}
