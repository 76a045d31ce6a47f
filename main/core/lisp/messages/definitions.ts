/** What the image defines. */
import { z } from 'zod';
import {
  definitionEventWithText,
  definitionRecord,
  definitionStateRecord,
  packageDefinitions,
  undoRecord,
} from '#contract/definition.ts';
import { contextId, evaluationId, runReply, runRequest } from './run.ts';

export const definitionMessages = {
  /** Definitions of packages. `packages: null` means CL-USER and every package that is not in the pristine image. */
  definitions: {
    lane: 'looking-up',
    request: z.object({ packages: z.array(z.string()).nullable() }),
    reply: z.object({ packages: z.array(packageDefinitions) }),
  },
  /** What list-definitions needs: one package (null: the context's current one), and the systems loaded since the pristine image. */
  'list-definitions': {
    lane: 'looking-up',
    request: z.object({ context: contextId, package: z.string().nullable() }),
    reply: z.object({
      package: z.string(),
      definitions: z.array(definitionRecord),
      systems: z.array(z.string()),
      unknownPackage: z.boolean(),
    }),
  },
  /** What happened to definitions, latest first; null asks for any. `name` is a symbol's name or the name in an event. */
  'definition-history': {
    lane: 'looking-up',
    request: z.object({
      package: z.string().nullable(),
      name: z.string().nullable(),
      evaluation: evaluationId.nullable(),
      limit: z.int().positive(),
    }),
    reply: z.object({ events: z.array(definitionEventWithText), total: z.int().nonnegative() }),
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
   * How definitions compare with files: those of `files` (with the text of an editor, null for what is on disk), or those
   * of a package with the files that it stands in.
   */
  'definition-states': {
    lane: 'looking-up',
    request: z.object({
      files: z.array(z.object({ file: z.string(), text: z.string().nullable() })).nullable(),
      package: z.string().nullable(),
    }),
    reply: z.object({ definitions: z.array(definitionStateRecord), more: z.int().nonnegative() }),
  },
  /** What was evaluated, as the text of a Lisp file that can be loaded; null means of all packages, actors, evaluations. */
  'export-definitions': {
    lane: 'looking-up',
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
