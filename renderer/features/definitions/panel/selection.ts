/** The definition that the browser's keys and the commands act on. */
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
  /** The definition as it is now; when it is gone, as it was when it was chosen. */
  definition: DefinitionRecord;
  /** The agent's change of the definition that waits for a review. */
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
