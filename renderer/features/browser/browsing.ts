/** The contents of the Browser: which of its tabs is shown, and what is asked for in each. */
import { call } from '../../base/bridge.ts';
import { layout, type BrowserTab } from '../../base/layout/layout-store.ts';
import { showRegion } from '../../base/layout/regions.ts';
import type { NamedSymbol } from '../../base/image/documented.ts';
import { notify } from '../../base/notices/notices.tsx';
import { shownRepl } from '../../base/image/active-repl.ts';
import { makeStore } from '../../base/store.ts';

export interface AproposQuestion {
  /** A part of a name, in any case. */
  readonly pattern: string;
  /** The package whose symbols are searched; empty for all but the insides of SBCL. */
  readonly inPackage: string;
  readonly externalOnly: boolean;
  /** Documentation strings that contain the pattern count too. */
  readonly documentation: boolean;
  /** Kinds of meaning of which a symbol has one; null for any. */
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

/** Shows a tab of the Browser with the keyboard in it. */
export function showBrowser(browser: BrowserTab): void {
  showRegion('Browser', () => layout.setState({ page: 'browser', browser }));
}

/** Asks for symbols by a part of their name; what is not given is as at first. */
export function showApropos(question: Partial<AproposQuestion>): void {
  apropos.setState({ ...ASKED_AT_FIRST, ...question });
  showBrowser('apropos');
}

/** The classes that are listed: those of the user's packages, of one package, or all that are below a class. */
export interface ClassScope {
  readonly kind: 'mine' | 'package' | 'below';
  /** The name of the package or of the class, as it is read in the package of the REPL. */
  readonly name: string;
}

interface ClassesShown {
  readonly scope: ClassScope;
  readonly view: 'list' | 'graph';
  readonly filter: string;
  /** The class that is described; null for none. */
  readonly chosen: string | null;
  /** True while the chosen one was asked for by its name, so that it has to be among those that are listed. */
  readonly isWanted: boolean;
}

export const [classes, useClasses] = makeStore<ClassesShown>({
  scope: { kind: 'mine', name: '' },
  view: 'list',
  filter: '',
  chosen: null,
  isWanted: false,
});

/** Shows the class that a name names, among those that are listed or with all that are below it; says so where there is none. */
export async function showClass({ symbol, package: inPackage }: NamedSymbol): Promise<void> {
  const name = symbol.includes(':') || inPackage === null ? symbol : `${inPackage}::${symbol}`;
  const answer = await call('classes.describe', { symbol: name, package: null, repl: shownRepl().id });
  if (answer?.class) {
    classes.setState({ chosen: answer.class.name, filter: '', isWanted: true });
    showBrowser('classes');
  } else notify(answer === null ? 'No image is up that could be asked.' : `There is no class ${symbol} in the image.`);
}

interface GenericFunctionsShown {
  readonly filter: string;
  /** The generic function whose methods are listed; null for none. */
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
  /** The name of the package that is described; null for none. */
  readonly chosen: string | null;
}

export const [packages, usePackages] = makeStore<PackagesShown>({ filter: '', chosen: null });

/** Shows what a package uses, who uses it, and its symbols. */
export function showPackage(chosen: string): void {
  packages.setState({ chosen, filter: '' });
  showBrowser('packages');
}

interface SystemsBrowsed {
  /** The name of the system whose dependencies are shown; null for all of the project's. */
  readonly from: string | null;
  readonly view: 'list' | 'graph';
  /** The name of the system that is described; null for none. */
  readonly chosen: string | null;
}

export const [systems, useSystemsBrowsed] = makeStore<SystemsBrowsed>({ from: null, view: 'graph', chosen: null });

/** Shows what a system, or all the project's where it is null, depends on, and what depends on that. */
export function showSystem(from: string | null): void {
  systems.setState({ from, chosen: from });
  showBrowser('systems');
}
