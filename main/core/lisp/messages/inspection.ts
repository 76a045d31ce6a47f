/** Looking at objects part by part and changing them. Objects are known by handles, which their holder keeps. */
import { z } from 'zod';
import { printedValue } from '#contract/evaluation.ts';
import { inspectedPage } from '#contract/inspection.ts';
import { contextId, runReply, runRequest } from './run.ts';

/** What of an object to show, and for whom its parts are held: until `release` of that holder. */
const pageFields = {
  holder: z.string(),
  /** Null for the first view of the object's kind. */
  view: z.string().nullable(),
  offset: z.int().nonnegative(),
  /** At most 500 are sent. */
  limit: z.int().positive(),
  /** Names are printed as in that package; null for CL-USER. */
  package: z.string().nullable(),
};

export const inspectionMessages = {
  /** A page of an object. */
  inspect: {
    lane: 'looking-up',
    request: z.object({ handle: z.int(), ...pageFields }),
    reply: inspectedPage,
  },
  /** The value of a variable, or of `'symbol` or `#'function`, found in `package` (null: the context's); nothing is evaluated. */
  'inspect-name': {
    lane: 'looking-up',
    request: z.object({ context: contextId, name: z.string(), ...pageFields }),
    reply: z.object({ found: z.boolean(), handle: z.int().nullable(), page: inspectedPage.nullable() }),
  },
  /** Evaluate `code` in `package` (null: the context's) and show the first value. */
  'inspect-expression': {
    lane: 'worker',
    request: runRequest.extend({ code: z.string(), ...pageFields }),
    reply: runReply(z.object({ handle: z.int(), page: inspectedPage })),
  },
  /** Evaluate `code` with `*` as the object. */
  'evaluate-with-object': {
    lane: 'worker',
    request: runRequest.extend({
      handle: z.int(),
      code: z.string(),
      package: z.string().nullable(),
      holder: z.string(),
      /** Characters of each printed value. */
      valueLimit: z.int().positive(),
    }),
    reply: runReply(z.object({ expired: z.boolean(), values: z.array(printedValue) })),
  },
  /** Put the value of `code`, in which `*` is the old one, into the part at `path` of the object, and show the object again. */
  'set-part': {
    lane: 'worker',
    request: runRequest.extend({
      handle: z.int(),
      path: z.int(),
      code: z.string(),
      /** Take the entry away, or make the slot unbound, instead; `code` is not looked at. */
      remove: z.boolean(),
      ...pageFields,
    }),
    reply: runReply(inspectedPage),
  },
  /** The text of DESCRIBE. */
  'describe-handle': {
    lane: 'looking-up',
    request: z.object({ handle: z.int(), /** Characters. */ limit: z.int().positive() }),
    reply: z.object({ expired: z.boolean(), text: z.string(), cut: z.int().nonnegative() }),
  },
} as const;
