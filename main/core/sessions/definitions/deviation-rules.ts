/** The deviations of listed definitions, from a comparison of files with the image. Pure. */
import path from 'node:path';
import type {
  DefinitionDeviation,
  DefinitionDeviations,
  DefinitionRecord,
  DefinitionState,
  DefinitionStateRecord,
  PackageDefinitions,
} from '#contract/image/definition.ts';

const SHOWN = 5000;

/** The states, best match first. If several files have a definition, the file with the best match is its origin. */
const ORDER: readonly DefinitionState[] = [
  'same',
  'changed-in-file',
  'changed-in-image',
  'unknown',
  'only-in-file',
  'only-in-image',
];

/** Returns the listed definitions that differ from their files according to `states`, and the definitions that are in no file. */
export function deviationsOf(
  listed: readonly PackageDefinitions[],
  states: readonly DefinitionStateRecord[],
): Omit<DefinitionDeviations, 'unread'> {
  const known = new Map<string, DefinitionStateRecord>();
  for (const state of states) {
    const key = keyOf(state.package, state);
    const other = known.get(key);
    if (!other || ORDER.indexOf(state.state) < ORDER.indexOf(other.state)) known.set(key, state);
  }
  const all = listed.flatMap(({ package: name, definitions }) =>
    definitions.flatMap((definition) => deviationOf(name, definition, known.get(keyOf(name, definition))) ?? []),
  );
  return { deviations: all.slice(0, SHOWN), more: Math.max(0, all.length - SHOWN) };
}

function deviationOf(
  inPackage: string,
  definition: DefinitionRecord,
  known: DefinitionStateRecord | undefined,
): DefinitionDeviation | null {
  const { kind, name } = definition;
  const place = { kind, name, package: inPackage };
  switch (known?.state) {
    case 'changed-in-image':
    case 'changed-in-file':
    case 'only-in-image':
      return { ...place, state: known.state, file: known.file };
    case undefined:
      return isInNoFile(definition) ? { ...place, state: 'only-in-image', file: null } : null;
    case 'same':
    case 'unknown':
    case 'only-in-file':
      return null;
  }
}

/**
 * Returns true if the definition was evaluated outside any file. Definitions that come with a form, such as accessors, have no event; only
 * their form counts.
 */
function isInNoFile({ source, actor, event }: DefinitionRecord): boolean {
  return actor !== null && event !== null && path.dirname(source?.file ?? '') === '.';
}

function keyOf(inPackage: string | null, { kind, name }: { kind: string; name: string }): string {
  return JSON.stringify([inPackage, kind, name]);
}
