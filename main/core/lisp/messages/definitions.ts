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
   * Returns definitions of packages, by name. `packages: null` means CL-USER and every package that is not in the pristine image. `text`
   * selects definitions whose names contain it. Returns at most `most` of each package, and `room` in total.
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
   * Returns `count` definitions of one package (null: the context's current one) from `start`, grouped by these kinds and sorted by name,
   * and the systems loaded since the pristine image.
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
  /** Returns the events of definitions, latest first; null matches all. `name` is a symbol's name or the name in an event. */
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
   * Returns code that is still compiled with an old macro, inline function, constant or structure that the evaluation changed. `unknown`
   * names changed definitions whose users SBCL does not record.
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
   * Marks these events as reviewed by the person, or removes the mark. When the person calls reviewed definitions, they run as the person's
   * own code. The mark applies only to this version of the code.
   */
  'review-definitions': {
    lane: 'control',
    changes: true,
    request: z.object({ events: z.array(definitionEvent.pick({ id: true, code: true })), reviewed: z.boolean() }),
    reply: z.object({}),
  },
  /**
   * Restores the state before the `events`, or before the whole evaluation `of` (if `events` is null), newest first; at most 500. `dry`
   * only returns the expected result. Undoing an undo is a redo.
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
   * Examines a symbol before a rename: what it names, the packages (with nicknames) in which its name refers to it, and why the new name is
   * not possible (null if it is).
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
   * Copies the definitions of a symbol to one with the new name. With `finish`, removes them from the old symbol, which then remains only
   * in its home package, unexported.
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
   * Compares definitions with files: those in `files` (with an editor's text, or null for the text on disk), or those of a package with
   * their source files.
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
  /** Exports the evaluated definitions as the text of a loadable Lisp file; null means all packages, actors or evaluations. */
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
