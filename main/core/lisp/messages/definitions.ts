/** The operations that list, export and undo the definitions of an image. */
import { z } from 'zod';
import {
  definitionEvent,
  definitionEventWithText,
  definitionKind,
  definitionRecord,
  definitionStateRecord,
  packageDefinitions,
  undoRecord,
} from '#contract/image/definition.ts';
import { contextId, evaluationId, runReply, runRequest } from './run.ts';

export const definitionMessages = {
  /**
   * Returns the definitions of packages, by package name. `packages: null` means CL-USER and every package that a fresh image does not
   * have. `text` selects definitions whose names contain it. Returns at most `most` definitions of each package, and at most `room` in
   * total.
   */
  definitions: {
    lane: 'looking-up',
    changes: false,
    request: z.object({
      packages: z.array(z.string()).nullable(),
      text: z.string().nullable(),
      most: z.int().nonnegative(),
      room: z.int().nonnegative(),
    }),
    reply: z.object({ packages: z.array(packageDefinitions) }),
  },
  /**
   * Returns `count` definitions of one package (null: the context's current one) from `start`, restricted to these kinds and sorted by
   * name. Also returns the systems that a fresh image does not have.
   */
  'list-definitions': {
    lane: 'looking-up',
    changes: false,
    request: z.object({
      context: contextId,
      package: z.string().nullable(),
      groups: z.array(z.array(definitionKind)),
      start: z.int().nonnegative(),
      count: z.int().nonnegative(),
    }),
    reply: z.object({
      package: z.string(),
      definitions: z.array(definitionRecord),
      total: z.int().nonnegative(),
      systems: z.array(z.string()),
      unknownPackage: z.boolean(),
    }),
  },
  /** Returns the events of definitions, latest first; a null field matches all. `name` is a symbol's name or the name in an event. */
  'definition-history': {
    lane: 'looking-up',
    changes: false,
    request: z.object({
      package: z.string().nullable(),
      name: z.string().nullable(),
      evaluation: evaluationId.nullable(),
      limit: z.int().positive(),
    }),
    reply: z.object({ events: z.array(definitionEventWithText), total: z.int().nonnegative() }),
  },
  /**
   * Returns code that was compiled with an old version of a macro, inline function, constant or structure that the evaluation has changed.
   * `unknown` contains the changed definitions whose uses SBCL does not record.
   */
  'stale-users': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ evaluation: evaluationId }),
    reply: z.object({
      changed: z.array(z.string()),
      unknown: z.array(z.string()),
      users: z.array(z.object({ name: z.string(), file: z.string().nullable() })),
    }),
  },
  /**
   * Marks these events as reviewed by the person, or removes that mark. When the person calls reviewed definitions, they run as the
   * person's own code. The mark applies only to this version of the code.
   */
  'review-definitions': {
    lane: 'control',
    changes: true,
    request: z.object({ events: z.array(definitionEvent.pick({ id: true, code: true })), reviewed: z.boolean() }),
    reply: z.object({}),
  },
  /**
   * Restores the state before the `events`, or before the whole evaluation `of` if `events` is null. Undoes the newest event first; at most
   * 500 events. `dry` only returns the expected result. Undoing an undo is a redo.
   */
  'undo-definitions': {
    lane: 'worker',
    request: runRequest.extend({
      events: z.array(z.int()).nullable(),
      of: evaluationId.nullable(),
      dry: z.boolean(),
    }),
    reply: runReply(z.object({ undone: z.array(undoRecord), more: z.int().nonnegative() })),
  },
  /**
   * Examines a symbol before a rename. Returns its definitions, the packages (with nicknames) in which its name refers to it, and the
   * reason why the new name is not possible (null if it is possible).
   */
  'rename-plan': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ context: contextId, symbol: z.string(), package: z.string().nullable(), newName: z.string() }),
    reply: z.object({
      found: z.boolean(),
      name: z.string(),
      home: z.string(),
      kinds: z.array(z.string()),
      packages: z.array(z.string()),
      special: z.boolean(),
      problem: z.string().nullable(),
    }),
  },
  /**
   * Copies the definitions of a symbol to a symbol with the new name. With `finish`, removes them from the old symbol. The old symbol then
   * remains only in its home package, where it is not exported.
   */
  'rename-symbol': {
    lane: 'worker',
    request: runRequest.extend({
      symbol: z.string(),
      package: z.string().nullable(),
      newName: z.string(),
      finish: z.boolean(),
    }),
    reply: runReply(z.object({ done: z.boolean() })),
  },
  /**
   * Compares definitions with files: the definitions in `files` (with an editor's text, or null for the text on disk), or the definitions
   * of a package with their source files.
   */
  'definition-states': {
    lane: 'looking-up',
    changes: false,
    request: z.object({
      files: z.array(z.object({ file: z.string(), text: z.string().nullable() })).nullable(),
      package: z.string().nullable(),
    }),
    reply: z.object({ definitions: z.array(definitionStateRecord), more: z.int().nonnegative() }),
  },
  /** Exports the evaluated definitions as the text of a loadable Lisp file. A null field means all packages, actors or evaluations. */
  'export-definitions': {
    lane: 'looking-up',
    changes: false,
    request: z.object({
      package: z.string().nullable(),
      actors: z.array(z.string()).nullable(),
      evaluations: z.array(evaluationId).nullable(),
    }),
    reply: z.object({
      text: z.string(),
      /** The number of forms in the text. */
      forms: z.int().nonnegative(),
      /** Names whose source text is unknown; the text lists them as comments. */
      missing: z.array(z.string()),
    }),
  },
} as const;
