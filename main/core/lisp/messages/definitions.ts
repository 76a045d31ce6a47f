/** The operations that tell of, export and undo the definitions of an image. */
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
   * Definitions of packages, by name. `packages: null` means CL-USER and every package that is not in the pristine image; `text`
   * asks for those that have it in their name. At most `most` of each package, and `room` in all.
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
   * Lists definitions: `count` definitions of one package (null: the context's current one) from `start` on, group by group of
   * these kinds and each by name, and the systems loaded since the pristine image.
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
  /** Tells the events of definitions, latest first; null asks for any. `name` is a symbol's name or the name in an event. */
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
   * Tells what is still compiled with a former macro, inline function, constant or structure that the evaluation changed; `unknown` names
   * those of which SBCL does not record the users.
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
   * The person marks these events as reviewed, or takes that back: where they call what these defined, it runs as their own. The mark is of
   * that code alone.
   */
  'review-definitions': {
    lane: 'control',
    changes: true,
    request: z.object({ events: z.array(definitionEvent.pick({ id: true, code: true })), reviewed: z.boolean() }),
    reply: z.object({}),
  },
  /**
   * Puts back what was there before the `events`, or before all of the evaluation `of` (when `events` is null), newest
   * first; at most 500. `dry` only tells what would come of it. The undo of an undo is a redo.
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
   * Looks at a symbol that is to have another name: what it names, in which packages (with nicknames) its name means it, and why the new
   * name cannot be given (null when it can).
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
  /** Gives what a symbol names to one of the new name, and with `finish` takes it from the old one, which no package has from then on. */
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
   * Compares definitions with files: those of `files` (with the text of an editor, null for what is on disk), or those of a package
   * with the files that it stands in.
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
  /**
   * Exports the evaluated definitions as the text of a Lisp file that can be loaded; null means of all packages, actors,
   * evaluations.
   */
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
      /** Forms in the text. */
      forms: z.int().nonnegative(),
      /** Names whose source text is not known; the text lists them as comments. */
      missing: z.array(z.string()),
    }),
  },
} as const;
