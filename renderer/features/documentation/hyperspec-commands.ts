/** Commands that look things up in the HyperSpec. */
import { BookMarked } from 'lucide-react';
import { FORMAT_DIRECTIVES } from '#contract/hyperspec/format-directives.ts';
import { READER_MACROS } from '#contract/hyperspec/reader-macros.ts';
import { openOverlay } from '../../base/layout/overlays.ts';
import { askedNameNear } from './asked-name.ts';
import { lineAtCaret } from '../../editor/typing/line-at-caret.ts';
import type { Command } from '../../base/keys/command-registry.ts';
import type { NamedSymbol } from '../../base/image/documented.ts';
import { type NameHome, openHyperspec, standardSymbol } from '../../base/image/hyperspec.ts';
import { askImage, knownDefinitions } from '../../base/image/names.ts';
import { notify } from '../../base/notices/notices.tsx';
import { directiveAt, readerMacroAt } from '../../sexp/signs.ts';
import { bareName } from '../../sexp/symbols.ts';
import { type HyperspecList, hyperspecText } from './hyperspec-items.ts';

/** Opens the palette for a query. The text found at the caret is filled in and selected, so that typing replaces it. */
function ask(list: HyperspecList | null, found: string | null): void {
  const text = hyperspecText(list, found ?? '');
  openOverlay({ kind: 'palette', text, typedOver: hyperspecText(list, '').length });
}

async function lookUp(name: NamedSymbol): Promise<void> {
  const home = (await askImage('names.describe', name))?.described ?? knownHome(name);
  const symbol = standardSymbol(name.symbol, home);
  if (symbol !== null) return openHyperspec({ kind: 'symbol', name: symbol });
  const shown = bareName(name.symbol).toLowerCase();
  notify(
    home?.found === true && home.package !== 'COMMON-LISP'
      ? `${shown} is a symbol of ${home.package}, not of the standard. Choose one from the list.`
      : `${shown} is not a symbol of the standard. Choose one from the list.`,
  );
  ask(null, shown);
}

/**
 * Looks up the home package of a name in the definitions that the window knows, for use when no image answers. Returns null if the home
 * package is unknown.
 */
function knownHome({ symbol, package: inPackage }: NamedSymbol): NameHome | null {
  const known = knownDefinitions(symbol, inPackage).find((each) => symbol.includes(':') || each.package === inPackage);
  return known ? { found: true, symbol, package: known.package, unknownPackage: false } : null;
}

/** Returns `sign`, found at the caret, if an entry of the table begins with it; otherwise null. */
function known(table: readonly { readonly written: string }[], sign: string | null): string | null {
  return sign !== null && table.some(({ written }) => written.startsWith(sign)) ? sign : null;
}

function directiveAtCaret(): string | null {
  const place = lineAtCaret();
  return place && known(FORMAT_DIRECTIVES, directiveAt(place.line, place.index));
}

function readerMacroAtCaret(): string | null {
  const place = lineAtCaret();
  return place && known(READER_MACROS, readerMacroAt(place.line, place.index));
}

export const hyperspecCommands: Command[] = [
  {
    id: 'documentation.hyperspec',
    title: 'HyperSpec: Symbol at Caret',
    keys: 'Shift+F1',
    icon: BookMarked,
    detail: () => askedNameNear()?.symbol,
    run: () => {
      const name = askedNameNear();
      return name ? lookUp(name) : ask(null, null);
    },
  },
  {
    id: 'documentation.format',
    title: 'HyperSpec: FORMAT Directive…',
    icon: BookMarked,
    detail: () => directiveAtCaret() ?? undefined,
    run: () => ask('format', directiveAtCaret()),
  },
  {
    id: 'documentation.readerMacro',
    title: 'HyperSpec: Reader Macro…',
    icon: BookMarked,
    detail: () => readerMacroAtCaret() ?? undefined,
    run: () => ask('reader', readerMacroAtCaret()),
  },
  {
    id: 'documentation.glossary',
    title: 'HyperSpec: Glossary Term…',
    icon: BookMarked,
    run: () => ask('glossary', null),
  },
  {
    id: 'documentation.section',
    title: 'HyperSpec: Section…',
    icon: BookMarked,
    run: () => ask('section', null),
  },
];
