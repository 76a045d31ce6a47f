/** The definitions of an image, by package. */
import { z } from 'zod';
import { diffHunk } from '#contract/decisions/approval.ts';

/** The place of a definition, as far as the image knows. `offset` counts UTF-16 code units from 0; `line` is 1-based. */
export const definitionSource = z.object({
  file: z.string(),
  offset: z.int().nonnegative().nullable(),
  line: z.int().positive().nullable(),
});

export const definitionKind = z.enum([
  'function',
  'generic-function',
  'macro',
  'variable',
  'constant',
  'class',
  'structure',
  'condition',
  'method',
  'type',
]);

export const definitionRecord = z.object({
  kind: definitionKind,
  /** Symbol name as prin1 prints it in its own package; methods carry qualifiers and specializers: `DISCOUNT (CLUB-MEMBER T)`. */
  name: z.string(),
  /** `(A B &OPTIONAL C)`, upper case, `()` when empty; null where there is none. */
  lambdaList: z.string().nullable(),
  /** Printed value (at most 200 characters) for variables and constants; null when unbound. */
  value: z.string().nullable(),
  documentation: z.string().nullable(),
  source: definitionSource.nullable(),
  /** Actor id that evaluated the definition in this image (`person`, `client:…`), null when it came from a loaded file. */
  actor: z.string().nullable(),
  /** The latest event of this name, as far as one is kept: its id, its evaluation, and when (milliseconds since 1970). */
  event: z.int().nullable(),
  evaluation: z.string().nullable(),
  time: z.number().nullable(),
});

/** The definitions of a package; of a big one the first by name, and `more` counts the others. */
export const packageDefinitions = z.object({
  package: z.string(),
  definitions: z.array(definitionRecord),
  more: z.int().nonnegative(),
});

/** The kinds of definition that events name beyond those that are listed. */
export const definitionEventKind = z.enum([
  ...definitionKind.options,
  'symbol-macro',
  'compiler-macro',
  'setf-expander',
  'method-combination',
  'package',
  'symbol',
  'proclamation',
  'logical-host',
]);

/** Something was defined, redefined or removed in the image. */
export const definitionEvent = z.object({
  /** Counts up in the life of an image. */
  id: z.int().positive(),
  kind: definitionEventKind,
  /** The name as in `definitionRecord`; a package has its own name. */
  name: z.string(),
  package: z.string().nullable(),
  operation: z.enum(['defined', 'redefined', 'removed']),
  /** The actor whose evaluation defined it; null for code of no evaluation, such as a timer's. */
  actor: z.string().nullable(),
  /** The actor whose code it holds, where another put it there, as by undoing an undo, and the person has not reviewed that code; else null. */
  author: z.string().nullable(),
  /** Digest of the code that an agent's definition is, to which the person's mark is bound; null where that code cannot be compared. */
  code: z.string().nullable(),
  evaluation: z.string().nullable(),
  /** Milliseconds since 1970. */
  time: z.number(),
  /** The place of the form; of a loaded file only the file is known. */
  source: definitionSource.nullable(),
  /** True when the text of the definition's top-level form is kept. */
  hasText: z.boolean(),
  /** The event that this one undid. */
  undoes: z.int().nullable(),
});

/** An event as the session keeps it, across restarts of its image. */
const definitionEntry = definitionEvent.extend({
  /** The image of the session in which it happened, counted from 1. Only those of the latest can be undone. */
  life: z.int().positive(),
  /** True when it needs no more looking: the person's own, what they have reviewed, and what an undo took away. */
  seen: z.boolean(),
  /** True when the person has marked this very code as reviewed. Nothing else makes it run as their own. */
  reviewed: z.boolean(),
});

/** Some of the journal, latest first; `more` were left out. */
export const definitionEntries = z.object({
  entries: z.array(definitionEntry),
  more: z.int().nonnegative(),
});

/** With the text of its top-level form and the package in which that was read. */
export const definitionEventWithText = definitionEvent.extend({
  text: z.string().nullable(),
  readPackage: z.string().nullable(),
  /** True where the definition was the same before, as where a file is loaded again. */
  unchanged: z.boolean(),
});

/** The changes that the undo of an event would make or made. */
export const undoRecord = z.object({
  id: z.int(),
  /** Name, kind and package are null for an event that is no longer known. */
  name: z.string().nullable(),
  kind: definitionEventKind.nullable(),
  package: z.string().nullable(),
  /** Exactly as before; exactly once callers are compiled again; with a loss that `why` tells; not at all. */
  label: z.enum(['exact', 'recompile', 'lossy', 'impossible']),
  why: z.string().nullable(),
  /** Functions that have the definition compiled in, at most 200. */
  callers: z.array(z.string()),
  /** Live instances of the class, where that matters. */
  instances: z.int().nonnegative().nullable(),
  /** The latest event that changed the same name since. */
  changedSince: z.object({ event: z.int(), actor: z.string().nullable() }).nullable(),
  done: z.boolean(),
  /** The reason why the undo failed, or what it could not reach. */
  message: z.string().nullable(),
  /** The event that the undo itself is. */
  event: z.int().nullable(),
});

/** A definition before and after an event. */
export const definitionDifference = z.object({
  /** The definition's text before the event; null where there was no definition, or where its text is not known (`why`). */
  before: z.string().nullable(),
  /** The definition's text after the event; null where it was removed, or where its text is not known. */
  after: z.string().nullable(),
  hunks: z.array(diffHunk),
  /** The reason why a text is not known, in words; null when all is known. */
  why: z.string().nullable(),
});

/**
 * The state of a definition: how what the image holds compares with what a file says, or the text of an editor. `changed-in-file`:
 * the image has what the file said before, or the editor has what its file does not; `changed-in-image`: its definition came from
 * elsewhere. `unknown`: the image's own text is not known and the file changed.
 */
const definitionState = z.enum([
  'same',
  'changed-in-image',
  'changed-in-file',
  'only-in-image',
  'only-in-file',
  'unknown',
]);

export const definitionStateRecord = z.object({
  kind: definitionEventKind,
  name: z.string(),
  package: z.string().nullable(),
  state: definitionState,
  file: z.string().nullable(),
  offset: z.int().nonnegative().nullable(),
  line: z.int().positive().nullable(),
  actor: z.string().nullable(),
  evaluation: z.string().nullable(),
  event: z.int().nullable(),
});

/** A definition of the image that is not as a file has it. Of all others there is nothing to say. */
const definitionDeviation = z.object({
  /** The kind as in `definitionRecord`. */
  kind: definitionKind,
  name: z.string(),
  package: z.string(),
  state: definitionState.extract(['changed-in-image', 'changed-in-file', 'only-in-image']),
  /** The file with which it was compared; null when it is in none. */
  file: z.string().nullable(),
});

/** `unread`: files of the project with definitions that were not compared, because there are too many or they are too large. */
export const definitionDeviations = z.object({
  deviations: z.array(definitionDeviation),
  /** The number of deviations that are not listed. */
  more: z.int().nonnegative(),
  unread: z.int().nonnegative(),
});

export type DefinitionState = z.infer<typeof definitionState>;
export type DefinitionDeviation = z.infer<typeof definitionDeviation>;
export type DefinitionDeviations = z.infer<typeof definitionDeviations>;
export type DefinitionDifference = z.infer<typeof definitionDifference>;
export type DefinitionEvent = z.infer<typeof definitionEvent>;
export type DefinitionEntry = z.infer<typeof definitionEntry>;
export type DefinitionEntries = z.infer<typeof definitionEntries>;
export type UndoRecord = z.infer<typeof undoRecord>;
export type DefinitionStateRecord = z.infer<typeof definitionStateRecord>;
export type DefinitionKind = z.infer<typeof definitionKind>;
export type DefinitionSource = z.infer<typeof definitionSource>;
export type DefinitionRecord = z.infer<typeof definitionRecord>;
export type PackageDefinitions = z.infer<typeof packageDefinitions>;
