/** The names of the states of definitions that differ from their files, for the browser and the palette. */
import type { DefinitionDeviation } from '#contract/image/definition.ts';
import { definitionKey } from './definition-rows.ts';

export type DeviantState = DefinitionDeviation['state'];

/** The titles of the states, in the order of the legend. */
export const STATES: Readonly<Record<DeviantState, { title: string; one: string }>> = {
  'changed-in-image': { title: 'Image and file differ', one: 'image and file differ' },
  'only-in-image': { title: 'Only in the image', one: 'only in the image' },
  'changed-in-file': { title: 'Edited, not evaluated', one: 'edited, not evaluated' },
};

/** The states by `definitionKey`; a definition that is missing here equals its file's version. */
export type StatesByKey = ReadonlyMap<string, DeviantState>;

export function statesOf(deviations: readonly DefinitionDeviation[]): StatesByKey {
  return new Map(deviations.map((each) => [definitionKey(each.package, each), each.state]));
}

/** Returns the definitions of one state, by `definitionKey`. */
export function inState(states: StatesByKey, wanted: DeviantState): ReadonlySet<string> {
  return new Set([...states].filter(([, state]) => state === wanted).map(([key]) => key));
}

export function countStates(states: StatesByKey): ReadonlyMap<DeviantState, number> {
  const counts = new Map<DeviantState, number>();
  for (const state of states.values()) counts.set(state, (counts.get(state) ?? 0) + 1);
  return counts;
}
