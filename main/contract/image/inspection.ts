/** Objects of an image as an inspector shows them: a page at a time, each part with a handle to go on with. */
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
  /** Printed on one line; for the states `error` and `unbound` what stands in its place, such as `#<unbound>`. */
  text: z.string(),
  /** Printed type; null unless there is a value. */
  type: z.string().nullable(),
  /** A `text` is no object; the others are places that may hold one. */
  state: z.enum(['value', 'unbound', 'error', 'text']),
  /** The handle of the value; null unless there is one. */
  handle: z.int().nullable(),
  /** The handle of the key that `label` shows, in tables and lists of pairs. */
  keyHandle: z.int().nullable(),
  editable: z.boolean(),
  /** The path that `set-part` takes to change this part; null when it is no place. One that is not editable says why when tried. */
  path: z.int().nullable(),
  /** Under what to list it, such as the class that a slot is from. */
  group: z.string().nullable(),
  /** A word or two more, such as `class` for a slot that all instances share. */
  note: z.string().nullable(),
});

export const inspectedPage = z.object({
  /** The object is not held any more: its holder was released, or the image is another one. All else is empty then. */
  expired: z.boolean(),
  kind: objectKind,
  title: z.string(),
  type: z.string(),
  /** Printed, and how many characters were left out. */
  text: z.string(),
  cut: z.int().nonnegative(),
  /** Names of what there is to see, the one by default first; `view` is the one that was taken. */
  views: z.array(z.string()),
  view: z.string().nullable(),
  /** How its parts can be shown together; told with the first page of a view only. */
  drawings: z.array(z.enum(['table', 'plot', 'picture'])),
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  parts: z.array(inspectedPart),
  /** Parts of the view in all; with `inexact` there are more that were not counted. */
  total: z.int().nonnegative(),
  inexact: z.boolean(),
  offset: z.int().nonnegative(),
  more: z.boolean(),
  /** The reason why the view has no parts although it should. */
  problem: z.string().nullable(),
});

/** The parts of a view that have a text in them, as far as they were looked at. */
export const foundParts = z.object({
  expired: z.boolean(),
  /** The numbers of the parts, in order. */
  found: z.array(z.int().nonnegative()),
  /** The number of the part to go on from; null when all were looked at. */
  next: z.int().nonnegative().nullable(),
  total: z.int().nonnegative(),
  problem: z.string().nullable(),
});

/** Parts that were asked for by their numbers, in that order; null for one that is not there any more. */
export const numberedParts = z.object({ expired: z.boolean(), parts: z.array(inspectedPart.nullable()) });

/** A collection of like things, such as a list of plists: one a row, its parts in columns. */
export const inspectedTable = z.object({
  expired: z.boolean(),
  /** None when the elements are not alike. */
  columns: z.array(z.string()),
  rows: z.array(
    z.object({
      label: z.string(),
      handle: z.int(),
      /** `handle`: null for what is only text, such as a number or no value at all. */
      cells: z.array(z.object({ text: z.string(), handle: z.int().nullable() })),
    }),
  ),
  total: z.int().nonnegative(),
  offset: z.int().nonnegative(),
  more: z.boolean(),
});

/** Numbers in order; of very many the least and the greatest of each stretch. */
export const inspectedPlot = z.object({
  expired: z.boolean(),
  points: z.array(z.object({ index: z.int(), value: z.number() })),
  /** Elements in all. */
  total: z.int().nonnegative(),
  least: z.number().nullable(),
  greatest: z.number().nullable(),
  problem: z.string().nullable(),
});

export const inspectedPicture = z.object({
  expired: z.boolean(),
  /** Media type; null when it is no picture. */
  type: z.enum(['image/png', 'image/jpeg', 'image/gif']).nullable(),
  octets: z.int().nonnegative(),
  /** The octets; null where there are too many. */
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
/** The page's own name for what it shows: the handles of its parts are held until it is released. */
export const pane = z.string().regex(/^[\w:-]{1,80}$/);
const packageName = z.string().max(300).nullable();
const evaluation = z.string().min(8).max(64);
const code = z.string().max(1_000_000);
/** The REPL whose image and context are meant. */
const repl = z.string().min(1).max(64).default(FIRST_REPL);

const wantedPage = {
  pane,
  /** The view to show; null for the first of the object's kind. */
  view: z.string().max(200).nullable(),
  offset: z.int().nonnegative(),
  limit: z.int().min(1).max(500),
  package: packageName,
};

/** The outcome of a run of code for the inspector. */
const outcome = { status: evaluationStatus, condition: conditionRecord.nullable() };

export const inspectorCalls = {
  'inspector.page': { input: z.object({ handle, ...wantedPage }), output: inspectedPage },
  /** Looks for parts that have a text in their label or value, from number `from` on, for a moment. */
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
  /** Holds the object for another pane too; null when it is not held any more. */
  'inspector.keep': { input: z.object({ handle, pane }), output: z.object({ handle: handle.nullable() }) },
  'inspector.release': { input: z.object({ panes: z.array(pane).max(200) }), output: nothing },
  /** The value of a variable, or of 'symbol or #'function. Nothing is evaluated. */
  'inspector.name': {
    input: z.object({ name: z.string().min(1).max(1000), package: packageName, pane, repl }),
    output: z.object({ handle: handle.nullable() }),
  },
  /** Evaluates code and holds its first value. */
  'inspector.expression': {
    input: z.object({ code, package: packageName, pane, evaluation, repl }),
    output: z.object({ ...outcome, handle: handle.nullable() }),
  },
  /** Evaluates code in which `*` is the object. */
  'inspector.evaluate': {
    input: z.object({ handle, code, package: packageName, pane, evaluation }),
    output: z.object({ ...outcome, expired: z.boolean(), values: z.array(printedValue) }),
  },
  /** Puts the value of code, in which `*` is the old one, into a place, or makes the place empty. */
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
  /** The object printed to its end, as far as that is sensible. */
  'inspector.text': {
    input: z.object({ handle, package: packageName }),
    output: z.object({ expired: z.boolean(), text: z.string(), cut: z.int().nonnegative() }),
  },
  /** The name by which the definition of the object, or of its class, is found, as it is read in CL-USER; null for an object without one. */
  'inspector.definingName': {
    input: z.object({ handle }),
    output: z.object({ expired: z.boolean(), name: z.string().nullable(), isFunction: z.boolean() }),
  },
  /** Code that gives the object in any package of its image; null when it is not held any more. */
  'inspector.copy': {
    input: z.object({ handle }),
    output: z.object({ code: z.string().nullable(), /** The id of the image. */ image: z.string() }),
  },
} as const;
