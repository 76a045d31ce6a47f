/**
 * The operations that inspect and change objects part by part. Handles identify objects. A handle stays valid as long as it has a holder.
 */
import { z } from 'zod';
import { printedValue } from '#contract/image/evaluation.ts';
import {
  foundParts,
  inspectedPage,
  inspectedPicture,
  inspectedPlot,
  inspectedTable,
  numberedParts,
} from '#contract/image/inspection.ts';
import { contextId, runReply, runRequest } from './run.ts';

/** Selects the part of an object to show, and names the holder that keeps the handles of its parts until `release`. */
const pageFields = {
  holder: z.string(),
  /** The view to show; null for the first view of the object's kind. */
  view: z.string().nullable(),
  offset: z.int().nonnegative(),
  /** The number of parts to send, at most 500. */
  limit: z.int().positive(),
  /** The package relative to which names are printed; null for CL-USER. */
  package: z.string().nullable(),
};

export const inspectionMessages = {
  /** Returns a page of an object's parts. */
  inspect: {
    lane: 'looking-up',
    changes: false,
    request: z.object({ handle: z.int(), ...pageFields }),
    reply: inspectedPage,
  },
  /**
   * Returns the numbers of the parts from `from` whose label or value contains the search text. `next` is the part at which to continue if
   * time or space ran out; otherwise null.
   */
  'find-parts': {
    lane: 'looking-up',
    changes: false,
    request: z.object({
      handle: z.int(),
      view: z.string().nullable(),
      text: z.string(),
      from: z.int().nonnegative(),
      milliseconds: z.int().positive(),
      package: z.string().nullable(),
    }),
    reply: foundParts,
  },
  /** Returns parts by their numbers; null for a part that no longer exists. */
  'inspect-parts': {
    lane: 'looking-up',
    changes: false,
    request: z.object({
      handle: z.int(),
      holder: z.string(),
      view: z.string().nullable(),
      indexes: z.array(z.int().nonnegative()),
      package: z.string().nullable(),
    }),
    reply: numberedParts,
  },
  /**
   * Inspects the value of a variable, or of `'symbol` or `#'function`. The name is read in `package` (null: the context's). No code is
   * evaluated.
   */
  'inspect-name': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ context: contextId, name: z.string(), ...pageFields }),
    reply: z.object({ found: z.boolean(), handle: z.int().nullable(), page: inspectedPage.nullable() }),
  },
  /** Evaluates `code` in `package` (null: the context's) and shows the first value. */
  'inspect-expression': {
    lane: 'worker',
    request: runRequest.extend({ code: z.string(), ...pageFields }),
    reply: runReply(z.object({ handle: z.int(), page: inspectedPage })),
  },
  /** Evaluates `code` with `*` bound to the object. */
  'evaluate-with-object': {
    lane: 'worker',
    request: runRequest.extend({
      handle: z.int(),
      code: z.string(),
      package: z.string().nullable(),
      holder: z.string(),
      /** The maximum number of characters of each printed value. */
      valueLimit: z.int().positive(),
    }),
    reply: runReply(z.object({ expired: z.boolean(), values: z.array(printedValue) })),
  },
  /**
   * Stores the value of `code` in the part at `path` of the object, and returns a page of the object again. In `code`, `*` is the old
   * value.
   */
  'set-part': {
    lane: 'worker',
    request: runRequest.extend({
      handle: z.int(),
      path: z.int(),
      code: z.string(),
      /** True to remove the entry, or make the slot unbound, instead of storing a value; `code` is then ignored. */
      remove: z.boolean(),
      ...pageFields,
    }),
    reply: runReply(inspectedPage),
  },
  /** Returns a page of the object as a table; the table has no columns if the object's elements are not alike. */
  'inspect-table': {
    lane: 'looking-up',
    changes: false,
    request: z.object({
      handle: z.int(),
      holder: z.string(),
      offset: z.int().nonnegative(),
      /** The number of rows to send; fewer are sent if they have many columns. */
      limit: z.int().positive(),
      package: z.string().nullable(),
    }),
    reply: inspectedTable,
  },
  /** Returns the numbers in the object as a limited number of points. */
  'inspect-plot': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ handle: z.int(), points: z.int().positive() }),
    reply: inspectedPlot,
  },
  /** Returns the picture in an array of octets or in a file. The octets are left out if there are more than `limit`. */
  'inspect-picture': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ handle: z.int(), limit: z.int().positive() }),
    reply: inspectedPicture,
  },
  /** Also holds the object of a handle for another holder. Returns null if the handle is no longer valid. */
  'keep-handle': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ handle: z.int(), holder: z.string() }),
    reply: z.object({ handle: z.int().nullable() }),
  },
  /** Returns code that produces the object, in any package; null if the handle is no longer valid. */
  'copy-value': {
    lane: 'looking-up',
    changes: true,
    request: z.object({ handle: z.int() }),
    reply: z.object({ code: z.string().nullable() }),
  },
  /**
   * Returns the name of the object's definition, or of its class's definition, as read in CL-USER; null for an object without one, such as
   * an anonymous function. A method's name has the form `(METHOD TOTAL :AROUND (ITEM))`.
   */
  'defining-name': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ handle: z.int() }),
    reply: z.object({ expired: z.boolean(), name: z.string().nullable(), isFunction: z.boolean() }),
  },
  /** Prints the object completely, up to `limit` characters. */
  'print-handle': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ handle: z.int(), limit: z.int().positive(), package: z.string().nullable() }),
    reply: z.object({ expired: z.boolean(), text: z.string(), cut: z.int().nonnegative() }),
  },
  /** Returns the output of DESCRIBE. */
  'describe-handle': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ handle: z.int(), /** Characters. */ limit: z.int().positive() }),
    reply: z.object({ expired: z.boolean(), text: z.string(), cut: z.int().nonnegative() }),
  },
} as const;
