/** The selected definition, on which the browser's keys and the commands act. */
import type { DefinitionEntry, DefinitionRecord } from '#contract/image/definition.ts';
import { mirror } from '../../../base/mirror.ts';
import { type BrowserRow, definitionKey, type DefinitionRow } from '../definition-rows.ts';
import { makeStore } from '../../../base/store.ts';

const [store] = makeStore<{ row: DefinitionRow | null }>({ row: null });

export function choose(row: BrowserRow): void {
  store.setState({ row: row.type === 'definition' ? row : null });
}

export interface Chosen {
  package: string;
  /** The current state of the definition. If it no longer exists, its state at the time of the selection. */
  definition: DefinitionRecord;
  /** The agent's unreviewed change of the definition. */
  waiting: DefinitionEntry | null;
}

export function chosen(): Chosen | null {
  const { row } = store.getState();
  if (!row) return null;
  const { definitions, unreviewed } = mirror.getState();
  const key = definitionKey(row.package, row.definition);
  const now = definitions.get(row.package)?.definitions.find((each) => definitionKey(row.package, each) === key);
  const waiting = unreviewed.entries.find((each) => definitionKey(each.package, each) === key) ?? null;
  return { package: row.package, definition: now ?? row.definition, waiting };
}
