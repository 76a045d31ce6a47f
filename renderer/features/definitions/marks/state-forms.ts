/** The definitions of a file that get a bar in the gutter for their state. Pure. */
import type { DefinitionDeviation, DefinitionEntry } from '#contract/image/definition.ts';
import { definitionKey } from '../definition-rows.ts';

export interface MarkedState extends Pick<DefinitionDeviation, 'kind' | 'name' | 'package'> {
  state: 'changed-in-image' | 'changed-in-file';
  /** The actor who made the image's version; null if it came from a file. */
  actor: string | null;
}

/**
 * Returns the definitions to mark. `authorOf` returns the author of the image's definition. Definitions that are waiting for a review are
 * left out, because they already have a bar.
 */
export function formsToMark(
  file: string,
  deviations: readonly DefinitionDeviation[],
  unreviewed: readonly DefinitionEntry[],
  authorOf: (inPackage: string, definition: Pick<DefinitionDeviation, 'kind' | 'name'>) => string | null,
): MarkedState[] {
  const waiting = new Set(unreviewed.map((entry) => definitionKey(entry.package, entry)));
  return deviations.flatMap(({ state, file: of, ...definition }) => {
    if (of !== file || state === 'only-in-image') return [];
    if (state === 'changed-in-image' && waiting.has(definitionKey(definition.package, definition))) return [];
    return [{ ...definition, state, actor: authorOf(definition.package, definition) }];
  });
}
