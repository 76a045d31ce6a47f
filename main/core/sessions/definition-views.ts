/** What the window sees of the journal of definitions: the living image's part of it, bounded. */
import type { DefinitionEntries, DefinitionEntry } from '#contract/definition.ts';
import type { DefinitionJournal } from './definition-journal.ts';

const SHOWN = 500;

/** What happened after a time. */
export function definitionsSince(journal: DefinitionJournal, at: number): DefinitionEntries {
  return bounded(journal.entries().filter(({ life, time }) => life === journal.life && time > at));
}

function bounded(entries: DefinitionEntry[]): DefinitionEntries {
  return { entries: entries.slice(0, SHOWN), more: Math.max(0, entries.length - SHOWN) };
}
