/**
 * Determines the definitions of an image that are a client's own work: the client evaluated them or loaded them from the project, and they
 * are not part of a library. Pure.
 */
import path from 'node:path';
import type { OperationReply } from '#core/lisp/messages.ts';

export type DefinitionEvent = OperationReply<'definition-history'>['events'][number];

export interface OwnDefinitions {
  /** The events of forms that the client evaluated or compiled, newest first. */
  readonly evaluated: readonly DefinitionEvent[];
  /** The events that came from files of the project that the client loaded, newest first. */
  readonly loaded: readonly DefinitionEvent[];
  readonly libraries: number;
}

/**
 * The files in which the image compiles code. A text is compiled in a file of its own, and the compiled output of a file is written to
 * another file. Some kinds of definitions report only the path of such a file.
 */
const COMPILED = /[\\/]lisp-workbench-compile-[^\\/]+[\\/](text\.lisp$|)/;

/** Returns a client's own definitions. `events` are all events of the image, newest first; `root` is the project folder. */
export function ownDefinitions(events: readonly DefinitionEvent[], actor: string, root: string | null): OwnDefinitions {
  const made = latestOfEach(events).filter((event) => event.actor === actor);
  // Definitions that the image discovers only after a load have no file. They are attributed to the loaded files that defined something in
  // the same package.
  const places = new Map<string, Place>();
  for (const event of made) if (!isFound(event)) places.set(keyOf(event), placeOf(event, root));
  const of = (wanted: Place): DefinitionEvent[] =>
    made.filter(
      (event) => (isFound(event) ? (places.get(keyOf(event)) ?? 'evaluated') : placeOf(event, root)) === wanted,
    );
  const [evaluated, loaded] = [of('evaluated'), of('project')];
  return { evaluated, loaded, libraries: made.length - evaluated.length - loaded.length };
}

type Place = 'evaluated' | 'project' | 'library';

function isFound({ hasText, source }: DefinitionEvent): boolean {
  return !hasText && (source === null || COMPILED.exec(source.file)?.[1] === '');
}

function placeOf({ hasText, source }: DefinitionEvent, root: string | null): Place {
  if (hasText || source === null || COMPILED.test(source.file)) return 'evaluated';
  // ASDF stores a compiled file in a folder that repeats the whole path of its source.
  return root !== null && `${source.file}${path.sep}`.includes(root + path.sep) ? 'project' : 'library';
}

function keyOf({ evaluation, package: pkg }: DefinitionEvent): string {
  return JSON.stringify([evaluation, pkg]);
}

/** Returns the events without undos, undone events and definitions that changed nothing. */
export function latestOfEach(events: readonly DefinitionEvent[]): DefinitionEvent[] {
  const undone = new Set<number>();
  return events.filter(({ id, undoes, unchanged }) => {
    if (undoes !== null && !undone.has(id)) undone.add(undoes);
    return undoes === null && !unchanged && !undone.has(id);
  });
}
