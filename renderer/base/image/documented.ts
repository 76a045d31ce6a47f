/** The name that the panels Documentation and References are about: the one at the caret, unless the person keeps another. */
import { showSide } from '../layout/layout-store.ts';
import { showRegion } from '../layout/regions.ts';
import { makeStore } from '../store.ts';

export interface NamedSymbol {
  /** The name as written, perhaps with its package prefix. */
  readonly symbol: string;
  /** The package in which it is read; null for the person's current one. */
  readonly package: string | null;
  /** The REPL in whose image it is looked up; the shared image where it is left out. */
  readonly repl?: string;
}

interface Documented {
  /** The name that is documented; null before there was any. */
  readonly name: NamedSymbol | null;
  /** True while the caret does not change it. */
  readonly pinned: boolean;
  /** The name whose references are listed. */
  readonly referred: NamedSymbol | null;
  /** The references that are listed: all, or the calls as a tree, of callers or of callees. */
  readonly view: ReferencesView;
}

export type ReferencesView = 'all' | 'called-by' | 'calls';

export const [documented, useDocumented] = makeStore<Documented>({
  name: null,
  pinned: false,
  referred: null,
  view: 'all',
});

/** The caret came to a name. */
export function followName(name: NamedSymbol): void {
  const { name: known, pinned } = documented.getState();
  if (pinned || (known?.symbol === name.symbol && known.package === name.package && known.repl === name.repl)) return;
  documented.setState({ name });
}

/** The person asked for a name, which then stays where it is pinned. */
export function showName(name: NamedSymbol): void {
  documented.setState({ name });
}

export function togglePinned(): void {
  documented.setState(({ pinned }) => ({ pinned: !pinned }));
}

/** Shows the places that use a name, or the functions around it as a tree, with the keyboard in their list. */
export function listReferencesOf(name: NamedSymbol, view: ReferencesView = 'all'): void {
  documented.setState({ referred: name, view });
  showRegion('References', () => showSide('references'));
}

export function setReferencesView(view: ReferencesView): void {
  documented.setState({ view });
}
