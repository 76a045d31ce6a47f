/** The state of the Browser: the visible tab, and the query in each tab. */
import { call } from '../../base/bridge.ts';
import { layout, type BrowserTab } from '../../base/layout/layout-store.ts';
import { showRegion } from '../../base/layout/regions.ts';
import type { NamedSymbol } from '../../base/image/documented.ts';
import { notify } from '../../base/notices/notices.tsx';
import { shownRepl } from '../../base/image/active-repl.ts';
import { makeStore } from '../../base/store.ts';

export interface AproposQuestion {
  /** A part of a name, in any letter case. */
  readonly pattern: string;
  /** The package whose symbols are searched; empty to search all packages except SBCL's internals. */
  readonly inPackage: string;
  readonly externalOnly: boolean;
  /** True if documentation strings are searched too. */
  readonly documentation: boolean;
  /** The group of kinds to which a symbol must belong; null to accept all kinds. */
  readonly kinds: string | null;
}

const ASKED_AT_FIRST: AproposQuestion = {
  pattern: '',
  inPackage: '',
  externalOnly: false,
  documentation: false,
  kinds: null,
};

export const [apropos, useApropos] = makeStore<AproposQuestion>(ASKED_AT_FIRST);

/** Shows and focuses a tab of the Browser. */
export function showBrowser(browser: BrowserTab): void {
  showRegion('Browser', () => layout.setState({ page: 'browser', browser }));
}

/** Searches for symbols by a part of their name. Omitted options get their initial values. */
export function showApropos(question: Partial<AproposQuestion>): void {
  apropos.setState({ ...ASKED_AT_FIRST, ...question });
  showBrowser('apropos');
}

/** The set of listed classes: the user's, those of one package, or the subclasses of a class. */
export interface ClassScope {
  readonly kind: 'mine' | 'package' | 'below';
  /** The name of the package or class, read in the REPL's package. */
  readonly name: string;
}

interface ClassesShown {
  readonly scope: ClassScope;
  readonly view: 'list' | 'graph';
  readonly filter: string;
  /** The class that is described; null if there is none. */
  readonly chosen: string | null;
  /** True if the person requested the chosen class by name, so that the list must include it. */
  readonly isWanted: boolean;
}

export const [classes, useClasses] = makeStore<ClassesShown>({
  scope: { kind: 'mine', name: '' },
  view: 'list',
  filter: '',
  chosen: null,
  isWanted: false,
});

/**
 * Shows a class by name. If the current list does not contain the class, lists the class and its subclasses. Shows a notice if there is no
 * such class.
 */
export async function showClass({ symbol, package: inPackage }: NamedSymbol): Promise<void> {
  const name = symbol.includes(':') || inPackage === null ? symbol : `${inPackage}::${symbol}`;
  const answer = await call('classes.describe', { symbol: name, package: null, repl: shownRepl().id });
  if (answer?.class) {
    classes.setState({ chosen: answer.class.name, filter: '', isWanted: true });
    showBrowser('classes');
  } else notify(answer === null ? 'No image is running.' : `There is no class ${symbol} in the image.`);
}

interface GenericFunctionsShown {
  readonly filter: string;
  /** The generic function whose methods are listed; null if there is none. */
  readonly chosen: NamedSymbol | null;
}

export const [genericFunctions, useGenericFunctions] = makeStore<GenericFunctionsShown>({ filter: '', chosen: null });

/** Shows the methods of a generic function. */
export function showGenericFunction(chosen: NamedSymbol): void {
  genericFunctions.setState({ chosen, filter: '' });
  showBrowser('functions');
}

interface PackagesShown {
  readonly filter: string;
  /** The name of the package that is described; null if there is none. */
  readonly chosen: string | null;
}

export const [packages, usePackages] = makeStore<PackagesShown>({ filter: '', chosen: null });

/** Shows the packages that a package uses, the packages that use it, and its symbols. */
export function showPackage(chosen: string): void {
  packages.setState({ chosen, filter: '' });
  showBrowser('packages');
}

interface SystemsBrowsed {
  /** The name of the system whose dependencies are shown; null for all systems in the project. */
  readonly from: string | null;
  readonly view: 'list' | 'graph';
  /** The name of the system that is described; null if there is none. */
  readonly chosen: string | null;
}

export const [systems, useSystemsBrowsed] = makeStore<SystemsBrowsed>({ from: null, view: 'graph', chosen: null });

/** Shows the dependencies and dependents of a system, or of all systems in the project if `from` is null. */
export function showSystem(from: string | null): void {
  systems.setState({ from, chosen: from });
  showBrowser('systems');
}
