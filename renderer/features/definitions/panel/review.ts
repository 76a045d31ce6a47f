/** The unreviewed changes by agents, joined to the definitions that the browser lists. */
import type { ClientRecord } from '#contract/clients/client.ts';
import type {
  DefinitionEntry,
  DefinitionKind,
  DefinitionRecord,
  PackageDefinitions,
} from '#contract/image/definition.ts';
import { nameOf } from '../../../base/actors.ts';
import { definitionKey, isAgent, isInFile, KINDS } from '../definition-rows.ts';

/** The entries that are waiting for a review, by `definitionKey`. */
export type Waiting = ReadonlyMap<string, DefinitionEntry>;

export function waitingOf(entries: readonly DefinitionEntry[]): Waiting {
  return new Map(entries.map((entry) => [definitionKey(entry.package, entry), entry]));
}

/** Adds the definitions that an agent removed, so that the person can see and restore them. */
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

/** Returns the number of listed definitions that are waiting for a review. */
export function countWaiting(definitions: ReadonlyMap<string, PackageDefinitions>, waiting: Waiting): number {
  if (waiting.size === 0) return 0;
  let count = 0;
  for (const { package: name, definitions: records } of definitions.values())
    for (const record of records) if (waiting.has(definitionKey(name, record))) count += 1;
  return count;
}

/**
 * Returns a phrase that names a definition's author, such as "by claude-code, not reviewed"; undefined if there is no author to name, for
 * example because the definition came from the person's file. If another actor restored a client's code, the client is named.
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
