/** The definitions of an image, by package. */
import { z } from 'zod';
import { diffHunk } from '#contract/decisions/approval.ts';

/**
 * The location of a definition; components that the image does not know are null. `offset` counts UTF-16 code units from 0; `line` counts
 * from 1.
 */
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
  /**
   * The symbol name as prin1 prints it in the symbol's own package; methods include qualifiers and specializers: `DISCOUNT (CLUB-MEMBER
   * T)`.
   */
  name: z.string(),
  /** The lambda list in upper case: `(A B &OPTIONAL C)`, `()` if empty; null if there is none. */
  lambdaList: z.string().nullable(),
  /** The printed value of a variable or constant, at most 200 characters; null if unbound. */
  value: z.string().nullable(),
  documentation: z.string().nullable(),
  source: definitionSource.nullable(),
  /** The id of the actor that evaluated the definition in this image (`person`, `client:…`); null if it came from a loaded file. */
  actor: z.string().nullable(),
  /** The id of the latest stored event for this name. `evaluation` and `time` (milliseconds since 1970) belong to the same event. */
  event: z.int().nullable(),
  evaluation: z.string().nullable(),
  time: z.number().nullable(),
});

/**
 * The definitions of a package. For a large package, only the first ones by name are included; `more` is the number of the remaining ones.
 */
export const packageDefinitions = z.object({
  package: z.string(),
  definitions: z.array(definitionRecord),
  more: z.int().nonnegative(),
});

/** The additional kinds of definition that only occur in events, not in listings. */
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

/** A definition, redefinition or removal in the image. */
export const definitionEvent = z.object({
  /** The id. Ids increase as long as the image exists. */
  id: z.int().positive(),
  kind: definitionEventKind,
  /** The name as in `definitionRecord`; for a package, the package's name. */
  name: z.string(),
  package: z.string().nullable(),
  operation: z.enum(['defined', 'redefined', 'removed']),
  /** The actor whose evaluation caused the event; null for code outside any evaluation, such as a timer's code. */
  actor: z.string().nullable(),
  /**
   * The author of the code, if another actor installed it (for example by undoing an undo) and the person has not reviewed it. Otherwise
   * null.
   */
  author: z.string().nullable(),
  /** The digest of an agent's code, to which the person's review applies; null if the code cannot be compared. */
  code: z.string().nullable(),
  evaluation: z.string().nullable(),
  /** Milliseconds since 1970. */
  time: z.number(),
  /** The location of the form; for a loaded file, only the file is known. */
  source: definitionSource.nullable(),
  /** True if the text of the definition's top-level form is stored. */
  hasText: z.boolean(),
  /** The event that this one undid. */
  undoes: z.int().nullable(),
});

/** A definition event as the session stores it, across restarts of its image. */
const definitionEntry = definitionEvent.extend({
  /** The sequence number, from 1, of the session's image in which the event happened. Only events of the latest image can be undone. */
  life: z.int().positive(),
  /** True if no review is needed: the person made or reviewed the definition, or an undo removed it. */
  seen: z.boolean(),
  /** True if the person has reviewed exactly this code. Only reviewed code runs as the person's own. */
  reviewed: z.boolean(),
});

/** A section of the journal, latest entry first; `more` is the number of omitted entries. */
export const definitionEntries = z.object({
  entries: z.array(definitionEntry),
  more: z.int().nonnegative(),
});

/** An event with the text of its top-level form and the package in which it was read. */
export const definitionEventWithText = definitionEvent.extend({
  text: z.string().nullable(),
  readPackage: z.string().nullable(),
  /** True if the definition did not change, for example because a file was loaded again. */
  unchanged: z.boolean(),
});

/** The changes that undoing an event would make, or has made. */
export const undoRecord = z.object({
  id: z.int(),
  /** The name of the definition. Name, kind and package are null if the event is no longer known. */
  name: z.string().nullable(),
  kind: definitionEventKind.nullable(),
  package: z.string().nullable(),
  /**
   * How completely the undo restores the earlier state: exactly; exactly after callers are recompiled; with a loss that `why` describes;
   * not at all.
   */
  label: z.enum(['exact', 'recompile', 'lossy', 'impossible']),
  why: z.string().nullable(),
  /** Functions whose compiled code contains the definition, at most 200. */
  callers: z.array(z.string()),
  /** The number of live instances of the class, if the undo affects them; otherwise null. */
  instances: z.int().nonnegative().nullable(),
  /** The latest later event that changed the same name; null if there is none. */
  changedSince: z.object({ event: z.int(), actor: z.string().nullable() }).nullable(),
  done: z.boolean(),
  /** The reason why the undo failed, or a description of what it could not restore. */
  message: z.string().nullable(),
  /** The event that the undo created. */
  event: z.int().nullable(),
});

/** A definition before and after an event. */
export const definitionDifference = z.object({
  /** The definition's text before the event; null if there was no definition, or its text is unknown (see `why`). */
  before: z.string().nullable(),
  /** The definition's text after the event; null if the definition was removed, or its text is unknown. */
  after: z.string().nullable(),
  hunks: z.array(diffHunk),
  /** The reason why a text is unknown, in words; null if both texts are known. */
  why: z.string().nullable(),
});

/**
 * The result of comparing a definition in the image with a file or with the editor's text. `changed-in-file`: the image has an earlier
 * version from the file, or the editor has unsaved changes; `changed-in-image`: the image's definition did not come from the file;
 * `unknown`: the file changed, and the text of the image's definition is unknown.
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

/** A definition in the image that differs from its file. Definitions that agree are not listed. */
const definitionDeviation = z.object({
  /** The kind, as in `definitionRecord`. */
  kind: definitionKind,
  name: z.string(),
  package: z.string(),
  state: definitionState.extract(['changed-in-image', 'changed-in-file', 'only-in-image']),
  /** The file with which the definition was compared; null if no file contains it. */
  file: z.string().nullable(),
});

/**
 * Deviations of the image from its files. `unread` is the number of project files that were not compared because there are too many or they
 * are too large.
 */
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
