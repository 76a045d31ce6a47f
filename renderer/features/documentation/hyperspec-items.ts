/**
 * The items of the palette for the HyperSpec: symbols or, after `format:`, `reader:`, `glossary:` or `section:`, the items of that list.
 */
import { BookMarked } from 'lucide-react';
import { FORMAT_DIRECTIVES } from '#contract/hyperspec/format-directives.ts';
import { GLOSSARY_TERMS } from '#contract/hyperspec/glossary-terms.ts';
import { READER_MACROS } from '#contract/hyperspec/reader-macros.ts';
import { STANDARD_SECTIONS } from '#contract/hyperspec/sections.ts';
import { symbolKind } from '#contract/hyperspec/symbol-pages.ts';
import type { HyperspecTopic } from '#contract/hyperspec/topics.ts';
import { STANDARD_SYMBOLS } from '#contract/sexp/standard-symbols.ts';
import { matchTitle } from '../../base/palette/match-title.ts';
import type { PaletteItem } from '../../base/palette/palette-item.ts';

/** The words that choose a list, each followed by a colon. */
export type HyperspecList = 'format' | 'reader' | 'glossary' | 'section';

interface Listed {
  readonly name: string;
  readonly detail: string | null;
}

const LISTS: Readonly<Record<HyperspecList, { kind: HyperspecTopic['kind']; all: readonly Listed[] }>> = {
  format: {
    kind: 'directive',
    all: FORMAT_DIRECTIVES.map(({ written, title }) => ({ name: written, detail: title })),
  },
  reader: { kind: 'reader-macro', all: READER_MACROS.map(({ written, title }) => ({ name: written, detail: title })) },
  glossary: { kind: 'term', all: GLOSSARY_TERMS.map((term) => ({ name: term, detail: null })) },
  section: {
    kind: 'section',
    all: STANDARD_SECTIONS.map(({ number, chapter, isDictionary }) => ({
      name: number,
      detail: isDictionary ? `${chapter} · Dictionary` : chapter,
    })),
  },
};

const SYMBOLS: readonly Listed[] = STANDARD_SYMBOLS.map((name) => ({ name, detail: symbolKind(name) }));

/** The score of items that match only in their details. Such items rank after all items that match by name. */
const IN_DETAIL = 4;

/** Returns the palette text that opens a list and searches it for `typed`. */
export function hyperspecText(list: HyperspecList | null, typed: string): string {
  return list === null ? `?${typed}` : `?${list}: ${typed}`;
}

/**
 * Returns the items that match the text typed after `?`, the best first. If nothing has been typed, returns all items in the standard's or
 * alphabetical order.
 */
export function hyperspecItems(text: string): PaletteItem[] {
  const [, word, rest] = /^(format|reader|glossary|section):(.*)$/i.exec(text) ?? [];
  if (word === undefined) return fitting('symbol', SYMBOLS, text.trim());
  const { kind, all } = LISTS[word.toLowerCase() as HyperspecList];
  return fitting(kind, all, rest!.trim());
}

function fitting(kind: HyperspecTopic['kind'], all: readonly Listed[], wanted: string): PaletteItem[] {
  const scored = all.flatMap(({ name, detail }) => {
    const found = matchTitle(name, wanted);
    const inDetail = found || detail === null ? null : matchTitle(detail, wanted);
    if (!found && !inDetail) return [];
    const item: PaletteItem = {
      id: `hyperspec:${kind}:${name}`,
      section: 'HyperSpec',
      title: name,
      match: found?.match ?? null,
      detail,
      keys: null,
      icon: BookMarked,
      letter: null,
      agent: null,
      state: null,
      disabled: null,
      target: { hyperspec: { kind, name } },
    };
    return [{ item, score: found?.score ?? IN_DETAIL + inDetail!.score }];
  });
  if (wanted === '') return scored.map(({ item }) => item);
  return scored
    .toSorted((left, right) => left.score - right.score || rankOf(kind, left.item) - rankOf(kind, right.item))
    .map(({ item }) => item);
}

/** Returns the rank among items that match equally well: shorter names come first, and sections keep their order. */
function rankOf(kind: HyperspecTopic['kind'], { title }: PaletteItem): number {
  return kind === 'section' ? 0 : title.length;
}
