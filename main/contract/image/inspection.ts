/** Objects of an image as an inspector shows them: one page at a time. Each part has a handle with which it can be inspected too. */
import { z } from 'zod';
import { conditionRecord } from './condition.ts';
import { evaluationStatus, printedValue } from './evaluation.ts';
import { FIRST_REPL } from './shared-image.ts';

const objectKind = z.enum([
  'array',
  'character',
  'class',
  'closure',
  'condition',
  'cons',
  'function',
  'generic-function',
  'hash-table',
  'instance',
  'list',
  'method',
  'number',
  'other',
  'package',
  'pathname',
  'random-state',
  'readtable',
  'stream',
  'string',
  'structure',
  'symbol',
  'system',
  'thread',
  'weak-pointer',
]);

const inspectedPart = z.object({
  label: z.string(),
  /** The part, printed on one line. In the states `error` and `unbound`, this is a placeholder such as `#<unbound>`. */
  text: z.string(),
  /** The printed type; null if there is no value. */
  type: z.string().nullable(),
  /** The state of the part. `text`: the part is not an object. The other states are for places that can contain an object. */
  state: z.enum(['value', 'unbound', 'error', 'text']),
  /** The handle of the value; null if there is no value. */
  handle: z.int().nullable(),
  /** The handle of the key in `label`, for tables and lists of key-value pairs. */
  keyHandle: z.int().nullable(),
  editable: z.boolean(),
  /**
   * The path with which `set-part` changes this part; null if the part is not a place. If the place is read-only, `set-part` reports the
   * reason.
   */
  path: z.int().nullable(),
  /** The heading under which the part is listed, such as the class that a slot comes from. */
  group: z.string().nullable(),
  /** A short remark, such as `class` for a slot that all instances share. */
  note: z.string().nullable(),
});

export const inspectedPage = z.object({
  /**
   * True if the object is no longer retained because its holder was released or the image was replaced. All other fields are then empty.
   */
  expired: z.boolean(),
  kind: objectKind,
  title: z.string(),
  type: z.string(),
  /** The printed object. `cut` is the number of omitted characters. */
  text: z.string(),
  cut: z.int().nonnegative(),
  /** The names of the available views, the default view first. `view` is the selected view. */
  views: z.array(z.string()),
  view: z.string().nullable(),
  /** The available drawings of all parts together; only sent with the first page of a view. */
  drawings: z.array(z.enum(['table', 'plot', 'picture'])),
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  parts: z.array(inspectedPart),
  /** The number of parts in the view; a lower bound if `inexact` is true. */
  total: z.int().nonnegative(),
  inexact: z.boolean(),
  offset: z.int().nonnegative(),
  more: z.boolean(),
  /** The reason why parts of the view are unexpectedly missing; null if there is no problem. */
  problem: z.string().nullable(),
});

/** The parts of a view that contain the searched text, among the parts searched so far. */
export const foundParts = z.object({
  expired: z.boolean(),
  /** The numbers of the parts, in order. */
  found: z.array(z.int().nonnegative()),
  /** The number of the part at which to continue the search; null if all parts were searched. */
  next: z.int().nonnegative().nullable(),
  total: z.int().nonnegative(),
  problem: z.string().nullable(),
});

/** The requested parts in the order of the request; null for a part that no longer exists. */
export const numberedParts = z.object({ expired: z.boolean(), parts: z.array(inspectedPart.nullable()) });

/**
 * A table of a collection of similar elements, such as a list of plists. Each row is an element, and the columns contain the element's
 * parts.
 */
export const inspectedTable = z.object({
  expired: z.boolean(),
  /** The column titles; empty if the elements are not similar. */
  columns: z.array(z.string()),
  rows: z.array(
    z.object({
      label: z.string(),
      handle: z.int(),
      /** The cells. `handle` is null for plain text, such as a number or a missing value. */
      cells: z.array(z.object({ text: z.string(), handle: z.int().nullable() })),
    }),
  ),
  total: z.int().nonnegative(),
  offset: z.int().nonnegative(),
  more: z.boolean(),
});

/** The numbers of a collection, in order. If there are too many, only the smallest and the largest number of each interval are included. */
export const inspectedPlot = z.object({
  expired: z.boolean(),
  points: z.array(z.object({ index: z.int(), value: z.number() })),
  /** The total number of elements. */
  total: z.int().nonnegative(),
  least: z.number().nullable(),
  greatest: z.number().nullable(),
  problem: z.string().nullable(),
});

export const inspectedPicture = z.object({
  expired: z.boolean(),
  /** The media type; null if the object is not a picture. */
  type: z.enum(['image/png', 'image/jpeg', 'image/gif']).nullable(),
  octets: z.int().nonnegative(),
  /** The octets in base64; null if there are too many. */
  base64: z.string().nullable(),
  problem: z.string().nullable(),
});

export type InspectedTable = z.infer<typeof inspectedTable>;
export type InspectedPlot = z.infer<typeof inspectedPlot>;
export type InspectedPicture = z.infer<typeof inspectedPicture>;
export type InspectedPart = z.infer<typeof inspectedPart>;
export type InspectedPage = z.infer<typeof inspectedPage>;

const nothing = z.object({});
export const handle = z.int().nonnegative();
/** The page's own id for an inspector pane. The handles of the pane's parts are retained until the pane is released. */
export const pane = z.string().regex(/^[\w:-]{1,80}$/);
const packageName = z.string().max(300).nullable();
const evaluation = z.string().min(8).max(64);
const code = z.string().max(1_000_000);
/** The REPL whose image and context are used. */
const repl = z.string().min(1).max(64).default(FIRST_REPL);

const wantedPage = {
  pane,
  /** The view to show; null for the first view of this kind of object. */
  view: z.string().max(200).nullable(),
  offset: z.int().nonnegative(),
  limit: z.int().min(1).max(500),
  package: packageName,
};

/** The result of running code for the inspector. */
const outcome = { status: evaluationStatus, condition: conditionRecord.nullable() };

export const inspectorCalls = {
  'inspector.page': { input: z.object({ handle, ...wantedPage }), output: inspectedPage },
  /** Searches for a short time for parts whose label or value contains a text, starting with number `from`. */
  'inspector.find': {
    input: z.object({
      handle,
      view: z.string().max(200).nullable(),
      text: z.string().min(1).max(200),
      from: z.int().nonnegative(),
      milliseconds: z.int().min(1).max(1000),
      package: packageName,
    }),
    output: foundParts,
  },
  'inspector.parts': {
    input: z.object({
      handle,
      pane,
      view: z.string().max(200).nullable(),
      indexes: z.array(z.int().nonnegative()).max(500),
      package: packageName,
    }),
    output: numberedParts,
  },
  /** Retains the object for another pane as well; returns null if it is no longer retained. */
  'inspector.keep': { input: z.object({ handle, pane }), output: z.object({ handle: handle.nullable() }) },
  'inspector.release': { input: z.object({ panes: z.array(pane).max(200) }), output: nothing },
  /** Returns the value of a variable, or of `'symbol` or `#'function`, without evaluating any code. */
  'inspector.name': {
    input: z.object({ name: z.string().min(1).max(1000), package: packageName, pane, repl }),
    output: z.object({ handle: handle.nullable() }),
  },
  /** Evaluates code and retains its first value. */
  'inspector.expression': {
    input: z.object({ code, package: packageName, pane, evaluation, repl }),
    output: z.object({ ...outcome, handle: handle.nullable() }),
  },
  /** Evaluates code in which `*` is bound to the object. */
  'inspector.evaluate': {
    input: z.object({ handle, code, package: packageName, pane, evaluation }),
    output: z.object({ ...outcome, expired: z.boolean(), values: z.array(printedValue) }),
  },
  /** Stores the value of a form in a place, or makes the place unbound. The form can refer to the old value as `*`. */
  'inspector.set': {
    input: z.object({ handle, path: handle, code, remove: z.boolean(), evaluation, ...wantedPage }),
    output: z.object({ ...outcome, page: inspectedPage.nullable() }),
  },
  'inspector.table': {
    input: z.object({
      handle,
      pane,
      offset: z.int().nonnegative(),
      limit: z.int().min(1).max(500),
      package: packageName,
    }),
    output: inspectedTable,
  },
  'inspector.plot': { input: z.object({ handle }), output: inspectedPlot },
  'inspector.picture': { input: z.object({ handle }), output: inspectedPicture },
  'inspector.describe': {
    input: z.object({ handle }),
    output: z.object({ expired: z.boolean(), text: z.string(), cut: z.int().nonnegative() }),
  },
  /** Returns the fully printed object, up to a reasonable limit. */
  'inspector.text': {
    input: z.object({ handle, package: packageName }),
    output: z.object({ expired: z.boolean(), text: z.string(), cut: z.int().nonnegative() }),
  },
  /** Returns the name with which the definition of the object or of its class can be found, as read in CL-USER; null if there is none. */
  'inspector.definingName': {
    input: z.object({ handle }),
    output: z.object({ expired: z.boolean(), name: z.string().nullable(), isFunction: z.boolean() }),
  },
  /** Returns code that evaluates to the object in any package of its image; null if the object is no longer retained. */
  'inspector.copy': {
    input: z.object({ handle }),
    output: z.object({ code: z.string().nullable(), /** The id of the image. */ image: z.string() }),
  },
} as const;
