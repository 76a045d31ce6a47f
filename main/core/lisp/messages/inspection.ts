/** Inspecting and changing objects part by part. Handles identify objects, and a holder keeps each handle valid. */
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

/** The part of an object to show, and the holder that keeps its parts until it is released by `release`. */
const pageFields = {
  holder: z.string(),
  /** The view to show; null for the first view of the object's kind. */
  view: z.string().nullable(),
  offset: z.int().nonnegative(),
  /** The number of parts to send, at most 500. */
  limit: z.int().positive(),
  /** The package from which names are printed; null for CL-USER. */
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
   * Returns the numbers of the parts from `from` whose label or value contains a text. `next` is the point at which time or space ran out.
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
  /** Inspects the value of a variable, or of `'symbol` or `#'function`, found in `package` (null: the context's). Evaluates nothing. */
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
  /** Stores the value of `code` in the part at `path` of the object, and shows the object again. In `code`, `*` is the old value. */
  'set-part': {
    lane: 'worker',
    request: runRequest.extend({
      handle: z.int(),
      path: z.int(),
      code: z.string(),
      /** Removes the entry, or makes the slot unbound, instead; `code` is ignored. */
      remove: z.boolean(),
      ...pageFields,
    }),
    reply: runReply(inspectedPage),
  },
  /** Returns a page of rows of the object as a table; without columns if its elements are not alike. */
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
  /** Returns the picture in an array of octets or a file; without its octets if there are more than `limit`. */
  'inspect-picture': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ handle: z.int(), limit: z.int().positive() }),
    reply: inspectedPicture,
  },
  /** Holds the object of a handle for another holder too; null if the handle is no longer valid. */
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
