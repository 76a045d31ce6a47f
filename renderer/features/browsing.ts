/** The contents of the Browser: which of its tabs is shown, and what is asked for in each. */
import { createStore, useStore } from 'zustand';
import { layout, type BrowserTab } from '../base/layout-store.ts';
import { showRegion } from '../base/regions.ts';

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

export const apropos = createStore<AproposQuestion>(() => ASKED_AT_FIRST);

export function useApropos(): AproposQuestion {
  return useStore(apropos);
}

/** Shows a tab of the Browser with the keyboard in it. */
export function showBrowser(browser: BrowserTab): void {
  showRegion('Browser', () => layout.setState({ page: 'browser', browser }));
}

/** Asks for symbols by a part of their name; what is not given is as at first. */
export function showApropos(question: Partial<AproposQuestion>): void {
  apropos.setState({ ...ASKED_AT_FIRST, ...question });
  showBrowser('apropos');
}
