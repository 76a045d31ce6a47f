/** Objects of an image as an inspector shows them: a page at a time, each part with a handle to go on with. */
import { z } from 'zod';

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
