/** What the window sees of the journal of definitions, bounded, and what the person does about it. */
import { randomUUID } from 'node:crypto';
import type { DefinitionEntries, DefinitionEntry, UndoRecord } from '#contract/definition.ts';
import { PERSON } from '#contract/session.ts';
import { WorkbenchError } from '#core/error.ts';
import type { DefinitionJournal } from './definition-journal.ts';
import type { Session } from './session.ts';

const SHOWN = 500;

/** What happened in the living image after a time, latest first. */
export function definitionsSince(journal: DefinitionJournal, at: number): DefinitionEntries {
  return bounded(living(journal).filter(({ time }) => time > at));
}

/** What agents did last to a definition of the living image and the person has not looked at, latest first. */
export function unreviewedDefinitions(journal: DefinitionJournal): DefinitionEntries {
  const seen = new Set<string>();
  const latest = living(journal).filter((entry) => {
    const key = JSON.stringify([entry.package, entry.kind, entry.name]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return bounded(latest.filter(({ actor, reviewed }) => actor !== null && !reviewed));
}

/**
 * Undoes events, or all of the evaluation `of`, in turn. What the person undid, they have looked at.
 * @throws WorkbenchError `refused` when the run did not come to its end.
 */
export async function undoAsPerson(
  session: Session,
  fields: { events: number[] | null; of: string | null; dry: boolean },
): Promise<{ undone: UndoRecord[]; more: number }> {
  const who = { evaluation: randomUUID(), actor: PERSON, context: PERSON.id };
  const { reply } = await session.run('undo-definitions', who, fields, 'undo');
  if (reply.status !== 'ok' || !reply.result)
    throw new WorkbenchError('refused', `Nothing was undone: ${reply.condition?.message ?? reply.status}`);
  if (!fields.dry) {
    const done = reply.result.undone.filter((each) => each.done).map(({ id }) => id);
    session.definitions.review(done, true);
  }
  return reply.result;
}

function living(journal: DefinitionJournal): DefinitionEntry[] {
  return journal.entries().filter(({ life }) => life === journal.life);
}

function bounded(entries: DefinitionEntry[]): DefinitionEntries {
  return { entries: entries.slice(0, SHOWN), more: Math.max(0, entries.length - SHOWN) };
}
