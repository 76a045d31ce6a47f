/** Looking at objects part by part and changing them. Objects are known by handles, which their holder keeps. */
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

/** The part of an object to show, and the holder for whom its parts are kept, until `release` of that holder. */
const pageFields = {
  holder: z.string(),
  /** The view to show; null for the first view of the object's kind. */
  view: z.string().nullable(),
  offset: z.int().nonnegative(),
  /** The number of parts to send; at most 500 are. */
  limit: z.int().positive(),
  /** Names are printed as in that package; null for CL-USER. */
  package: z.string().nullable(),
};

export const inspectionMessages = {
  /** A page of an object. */
  inspect: {
    lane: 'looking-up',
    changes: false,
    request: z.object({ handle: z.int(), ...pageFields }),
    reply: inspectedPage,
  },
  /** The numbers of the parts from `from` on that have a text in their label or value; `next` is where time, or room, was over. */
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
  /** Parts by their numbers; null for one that is not there any more. */
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
  /** The value of a variable, or of `'symbol` or `#'function`, found in `package` (null: the context's); nothing is evaluated. */
  'inspect-name': {
    lane: 'looking-up',
    changes: false,
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
  /** The object as a table, a page of its rows; without columns when its elements are not alike. */
  'inspect-table': {
    lane: 'looking-up',
    changes: false,
    request: z.object({
      handle: z.int(),
      holder: z.string(),
      offset: z.int().nonnegative(),
      /** The number of rows to send; fewer are where they have many columns. */
      limit: z.int().positive(),
      package: z.string().nullable(),
    }),
    reply: inspectedTable,
  },
  /** The numbers in the object as at most so many points. */
  'inspect-plot': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ handle: z.int(), points: z.int().positive() }),
    reply: inspectedPlot,
  },
  /** The picture that octets or a file hold; without its octets where there are more than `limit`. */
  'inspect-picture': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ handle: z.int(), limit: z.int().positive() }),
    reply: inspectedPicture,
  },
  /** Hold the object of a handle for another holder too; null when the handle is not valid any more. */
  'keep-handle': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ handle: z.int(), holder: z.string() }),
    reply: z.object({ handle: z.int().nullable() }),
  },
  /** Code that gives the object, in any package; null when the handle is not valid any more. */
  'copy-value': {
    lane: 'looking-up',
    changes: true,
    request: z.object({ handle: z.int() }),
    reply: z.object({ code: z.string().nullable() }),
  },
  /**
   * The name by which the definition of the object is found, or that of its class, as it is read in CL-USER; null for an object without one,
   * such as an anonymous function. A method is named as `(METHOD TOTAL :AROUND (ITEM))`.
   */
  'defining-name': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ handle: z.int() }),
    reply: z.object({ expired: z.boolean(), name: z.string().nullable(), isFunction: z.boolean() }),
  },
  /** The object printed to its end, within `limit` characters. */
  'print-handle': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ handle: z.int(), limit: z.int().positive(), package: z.string().nullable() }),
    reply: z.object({ expired: z.boolean(), text: z.string(), cut: z.int().nonnegative() }),
  },
  /** The text of DESCRIBE. */
  'describe-handle': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ handle: z.int(), /** Characters. */ limit: z.int().positive() }),
    reply: z.object({ expired: z.boolean(), text: z.string(), cut: z.int().nonnegative() }),
  },
} as const;
