/** The unreviewed changes of agents, joined to the definitions that the browser lists. */
import type { ClientRecord } from '#contract/clients/client.ts';
import type {
  DefinitionEntry,
  DefinitionKind,
  DefinitionRecord,
  PackageDefinitions,
} from '#contract/image/definition.ts';
import { nameOf } from '../../../base/actors.ts';
import { definitionKey, isAgent, isInFile, KINDS } from '../definition-rows.ts';

/** Entries that wait for a review, by `definitionKey`. */
export type Waiting = ReadonlyMap<string, DefinitionEntry>;

export function waitingOf(entries: readonly DefinitionEntry[]): Waiting {
  return new Map(entries.map((entry) => [definitionKey(entry.package, entry), entry]));
}

/** The definitions with those that an agent removed among them, so that they can be seen and brought back. */
export function withRemoved(
  definitions: ReadonlyMap<string, PackageDefinitions>,
  waiting: Waiting,
): ReadonlyMap<string, PackageDefinitions> {
  const next = new Map(definitions);
  for (const entry of waiting.values()) {
    if (entry.operation !== 'removed' || entry.package === null || !(entry.kind in KINDS)) continue;
    const { definitions: known, more } = next.get(entry.package) ?? { definitions: [], more: 0 };
    if (known.some(({ kind, name }) => kind === entry.kind && name === entry.name)) continue;
    next.set(entry.package, { package: entry.package, definitions: [...known, removedRecord(entry)], more });
  }
  return next;
}

/** The number of listed definitions that wait for a review. */
export function countWaiting(definitions: ReadonlyMap<string, PackageDefinitions>, waiting: Waiting): number {
  if (waiting.size === 0) return 0;
  let count = 0;
  for (const { package: name, definitions: records } of definitions.values())
    for (const record of records) if (waiting.has(definitionKey(name, record))) count += 1;
  return count;
}

/**
 * Returns the words about a definition's author, where it did not come from the file: "by claude-code, not reviewed", also where somebody
 * else brought that client's code back.
 */
export function authorWords(
  definition: DefinitionRecord,
  entry: DefinitionEntry | undefined,
  clients: readonly ClientRecord[],
): string | undefined {
  const actor = entry?.author ?? definition.actor;
  if (actor === null) return undefined;
  if (!entry?.author && !isAgent(definition)) return isInFile(definition) ? undefined : 'by you';
  const by = `by ${nameOf(actor, clients)}`;
  if (!entry) return by;
  return `${entry.operation === 'removed' ? 'removed ' : ''}${by}, not reviewed`;
}

function removedRecord({ kind, name, source, actor, id, evaluation, time }: DefinitionEntry): DefinitionRecord {
  const shown = { kind: kind as DefinitionKind, name, lambdaList: null, value: null, documentation: null };
  return { ...shown, source, actor, event: id, evaluation, time };
}
