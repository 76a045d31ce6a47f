/** The topics that can be looked up in the HyperSpec, and the page of each. */
import { z } from 'zod';
import { FORMAT_DIRECTIVES } from './format-directives.ts';
import { glossaryPage } from './glossary-terms.ts';
import { READER_MACROS } from './reader-macros.ts';
import { sectionPage } from './sections.ts';
import { symbolPage } from './symbol-pages.ts';

/**
 * A topic. `name` depends on the kind: a standard symbol in lower case, a directive of FORMAT or a reader macro as written in its table, a
 * glossary term, or a section number.
 */
export const hyperspecTopic = z.object({
  kind: z.enum(['symbol', 'directive', 'reader-macro', 'term', 'section']),
  name: z.string().min(1).max(200),
});

export type HyperspecTopic = z.infer<typeof hyperspecTopic>;

/** Returns the page of a topic relative to the folder `Body`, with its anchor if it has one; null if the standard has no such topic. */
export function topicPage({ kind, name }: HyperspecTopic): string | null {
  switch (kind) {
    case 'symbol':
      return symbolPage(name);
    case 'directive':
      return pageOfWritten(FORMAT_DIRECTIVES, name);
    case 'reader-macro':
      return pageOfWritten(READER_MACROS, name);
    case 'term':
      return glossaryPage(name);
    case 'section':
      return sectionPage(name);
  }
}

function pageOfWritten(table: readonly { readonly written: string; readonly section: string }[], name: string) {
  const found = table.find(({ written }) => written === name);
  return found ? sectionPage(found.section) : null;
}
