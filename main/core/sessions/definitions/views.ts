/** The window's view of the definition journal, with a size limit, and the person's actions on it. */
import { randomUUID } from 'node:crypto';
import type { DefinitionEntries, DefinitionEntry, UndoRecord } from '#contract/image/definition.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { DefinitionJournal } from './definition-journal.ts';
import type { Session } from '../session.ts';

const SHOWN = 500;

/** Returns the events of the running image after a time, latest first. */
export function definitionsSince(journal: DefinitionJournal, at: number): DefinitionEntries {
  return bounded(living(journal).filter(({ time }) => time > at));
}

/**
 * Returns the latest event of each definition in the running image that an agent changed and that still needs review. The latest event is
 * first.
 */
export function unreviewedDefinitions(journal: DefinitionJournal): DefinitionEntries {
  const seen = new Set<string>();
  const latest = living(journal).filter((entry) => {
    const key = JSON.stringify([entry.package, entry.kind, entry.name]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return bounded(latest.filter(({ seen }) => !seen));
}

/**
 * Undoes events, or all events of the evaluation `of`, when their turn in the queue comes.
 * @throws WorkbenchError `refused` if the run did not complete.
 */
export async function undoAsPerson(
  session: Session,
  fields: { events: number[] | null; of: string | null; dry: boolean },
): Promise<{ undone: UndoRecord[]; more: number }> {
  const who = { evaluation: randomUUID(), actor: PERSON, context: PERSON.id };
  const reply = await session.undoDefinitions(who, fields);
  if (reply.status !== 'ok' || !reply.result)
    throw new WorkbenchError('refused', `Nothing was undone: ${reply.condition?.message ?? reply.status}`);
  return reply.result;
}

function living(journal: DefinitionJournal): DefinitionEntry[] {
  return journal.entries().filter(({ life }) => life === journal.life);
}

function bounded(entries: DefinitionEntry[]): DefinitionEntries {
  return { entries: entries.slice(0, SHOWN), more: Math.max(0, entries.length - SHOWN) };
}
