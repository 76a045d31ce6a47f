/** HyperSpec lookup: decides whether a name belongs to the standard, and opens a page in the system's browser. */
import { symbolPage } from '#contract/hyperspec/symbol-pages.ts';
import type { HyperspecTopic } from '#contract/hyperspec/topics.ts';
import type { DescribedName } from '#contract/image/introspection.ts';
import { call, messageOf } from '../bridge.ts';
import { openOverlay } from '../layout/overlays.ts';
import { bareName } from '../../sexp/symbols.ts';
import { notify } from '../notices/notices.tsx';

/** The fields of the image's description of a name that identify the symbol's home package. */
export type NameHome = Pick<DescribedName, 'found' | 'symbol' | 'package' | 'unknownPackage'>;

/**
 * Returns the COMMON-LISP symbol that a name refers to, in lower case; null if the name refers to another symbol. Uses the image's answer
 * `home`. If that is null or the package is unknown, goes by the spelling.
 */
export function standardSymbol(written: string, home: NameHome | null): string | null {
  const name = home === null || home.unknownPackage ? spelled(written) : told(home);
  return name !== null && symbolPage(name) !== null ? name : null;
}

/** Opens a page of the HyperSpec. If that fails, shows a notice with the reason and a link to the relevant setting. */
export async function openHyperspec(topic: HyperspecTopic): Promise<void> {
  try {
    await call('hyperspec.open', topic);
  } catch (error) {
    notify(messageOf(error), 'error', {
      title: 'Settings',
      run: async () => openOverlay({ kind: 'settings' }),
    });
  }
}

function told({ found, symbol, package: home }: NameHome): string | null {
  if (!found || home !== 'COMMON-LISP') return null;
  const name = /^\(SETF (.*)\)$/.exec(symbol)?.[1] ?? symbol;
  return name.includes('|') ? null : bareName(name).toLowerCase();
}

function spelled(written: string): string | null {
  const [, prefix, name] = /^(?:([^:]*)::?)?([^:]+)$/.exec(written) ?? [];
  if (name === undefined || (prefix !== undefined && !/^(?:cl|common-lisp)$/i.test(prefix))) return null;
  return name.toLowerCase();
}
