/** The hover over a name: its kind, lambda list, documentation, value and source location. */
import type { DescribedName } from '#contract/image/introspection.ts';
import { drawable } from '#contract/text/visible.ts';
import { openHyperspec, standardSymbol } from '../../base/image/hyperspec.ts';
import { askImage, knownDefinitions, LONG_PATIENCE_MS } from '../../base/image/names.ts';
import { systemOffer } from '../../base/image/system-offers.ts';
import { filledDocstring } from '../../sexp/reading/docstrings.ts';
import { shownPackage } from '../../sexp/packages.ts';
import { LISP } from '../monaco/language.ts';
import { monaco } from '../monaco/monaco.ts';
import { localNear, packageNear, symbolNear } from './context.ts';
import { type FoundSlot, slotsMeant } from './slots.ts';

type Meaning = DescribedName['meanings'][number];

/** How long, in milliseconds, a hover waits for the image if the window itself knows the name. */
const AT_ONCE_MS = 400;
/** The maximum number of characters shown of a documentation string; the Documentation panel shows all of it. */
const LIMIT = 1500;
const MOST = 4;
/** The editor command that is run by the link to the HyperSpec. */
const OPEN_HYPERSPEC = 'hyperspec.open';
/** The editor command that loads the system of a missing package. Its argument is the name of the package. */
export const LOAD_SYSTEM = 'systems.loadMissing';

export function installHover(): monaco.IDisposable {
  const command = monaco.editor.registerCommand(OPEN_HYPERSPEC, (_services, name: string) => {
    void openHyperspec({ kind: 'symbol', name });
  });
  const load = monaco.editor.registerCommand(LOAD_SYSTEM, (_services, missing: string) => {
    void systemOffer(missing).then((offer) => offer?.load());
  });
  const hover = monaco.languages.registerHoverProvider(LISP, {
    provideHover: async (model, place) => {
      const found = symbolNear(model, place);
      if (!found) return null;
      const slots = (await slotsMeant(model, found.range)) ?? [];
      if (slots.length > 0) return { range: found.range, contents: slots.slice(0, MOST).map(slotContents) };
      if (found.symbol.startsWith(':')) return null;
      const local = localNear(model, found);
      if (local) {
        const line = model.getPositionAt(local.at.start).lineNumber.toLocaleString('en');
        const words = `local ${local.namespace}, bound on line ${line}`;
        return { range: found.range, contents: [{ value: `${fenced(found.symbol)}\n${escaped(words)}` }] };
      }
      const inPackage = packageNear(model, place.lineNumber);
      const asked = { symbol: found.symbol, package: inPackage };
      const known = knownDefinitions(found.symbol, inPackage);
      const patience = known.length > 0 ? AT_ONCE_MS : LONG_PATIENCE_MS;
      const described = (await askImage('names.describe', asked, patience))?.described;
      const meanings = described
        ? described.meanings.map((meaning) => ({ meaning, of: described.package }))
        : known.map(({ package: of, definition }) => ({ meaning: definition, of }));
      const standard = known.length > 0 && !described ? null : standardSymbol(found.symbol, described ?? null);
      const missing = described?.unknownPackage === true ? await missingPackage(described.package) : null;
      if (meanings.length === 0 && standard === null) return missing && { range: found.range, contents: [missing] };
      const own = meanings.slice(0, MOST).flatMap(({ meaning, of }) => contentsOf(found.symbol, of, meaning));
      return {
        range: found.range,
        contents: [
          ...(own.length > 0 ? own : [{ value: fenced(found.symbol) }]),
          ...(standard === null ? [] : [hyperspecLink(standard)]),
          ...(missing === null ? [] : [missing]),
        ],
      };
    },
  });
  return {
    dispose: () => {
      hover.dispose();
      command.dispose();
      load.dispose();
    },
  };
}

/**
 * Returns the link to the page about a symbol. The link runs a command with a name from the program's own table, so that text from Lisp
 * never becomes an address.
 */
function hyperspecLink(symbol: string): monaco.IMarkdownString {
  const argument = encodeURIComponent(JSON.stringify([symbol])).replaceAll(/[()*']/g, percent);
  return {
    value: `[HyperSpec](command:${OPEN_HYPERSPEC}?${argument})`,
    isTrusted: { enabledCommands: [OPEN_HYPERSPEC] },
  };
}

/** Returns the sentence about a package that the image lacks, with a link if a system of the project defines it; otherwise null. */
async function missingPackage(name: string): Promise<monaco.IMarkdownString | null> {
  const offer = await systemOffer(name);
  if (offer === null) return null;
  const argument = encodeURIComponent(JSON.stringify([name])).replaceAll(/[()*']/g, percent);
  return {
    value: `${escaped(`There is no package ${name} in the image.`)} [Load ${escaped(offer.system)}](command:${LOAD_SYSTEM}?${argument})`,
    isTrusted: { enabledCommands: [LOAD_SYSTEM] },
  };
}

function percent(char: string): string {
  return `%${char.codePointAt(0)!.toString(16).toUpperCase()}`;
}

function slotContents({ text, of, kind }: FoundSlot): monaco.IMarkdownString {
  return { value: `${fenced(text.slice(0, LIMIT))}\n${escaped(`slot of the ${kind} ${of}`)}` };
}

function contentsOf(
  symbol: string,
  of: string,
  { kind, lambdaList, documentation, value }: Pick<Meaning, 'kind' | 'lambdaList' | 'documentation' | 'value'>,
): monaco.IMarkdownString[] {
  const bare = symbol.slice(symbol.lastIndexOf(':') + 1);
  const signature =
    lambdaList === null ? bare : `(${bare}${lambdaList === '()' ? ')' : ` ${lambdaList.toLowerCase().slice(1)}`}`;
  const code = value === null ? signature : `${signature}\n=> ${oneLine(value)}`;
  const head = `${kind} in ${shownPackage(of)}`;
  return [
    { value: `${fenced(code)}\n${escaped(head)}` },
    ...(documentation === null ? [] : [{ value: fencedText(filledDocstring(documentation).slice(0, LIMIT)) }]),
  ];
}

/** Returns code in a fence longer than any fence that the code contains, so that none of the code is interpreted as Markdown. */
function fenced(text: string, language = LISP): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${drawable(text)}\n${fence}`;
}

function fencedText(text: string): string {
  return fenced(text, 'plaintext');
}

function escaped(text: string): string {
  return drawable(text).replaceAll(/[\\`*_{}[\]()#+\-.!<>|~&]/g, String.raw`\$&`);
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
