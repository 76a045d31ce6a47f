/** Objects of an image as an inspector shows them: a page at a time, each part with a handle to go on with. */
import { z } from 'zod';

export const objectKind = z.enum([
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
]);

export const inspectedPart = z.object({
  label: z.string(),
  /** Printed on one line; for the states `error` and `unbound` what stands in its place, such as `#<unbound>`. */
  text: z.string(),
  /** Printed type; null unless there is a value. */
  type: z.string().nullable(),
  /** A `text` is no object; the others are places that may hold one. */
  state: z.enum(['value', 'unbound', 'error', 'text']),
  /** Of the value, null unless there is one. */
  handle: z.int().nullable(),
  /** Of the key that `label` shows, in tables and lists of pairs. */
  keyHandle: z.int().nullable(),
  editable: z.boolean(),
  /** What `set-part` takes to change this part; null when it is no place. One that is not editable says why when tried. */
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
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  parts: z.array(inspectedPart),
  /** Parts of the view in all; there may be still more of them when `more` stays true at the end. */
  total: z.int().nonnegative(),
  offset: z.int().nonnegative(),
  more: z.boolean(),
  /** Why the view has no parts although it should. */
  problem: z.string().nullable(),
});

export type ObjectKind = z.infer<typeof objectKind>;
export type InspectedPart = z.infer<typeof inspectedPart>;
export type InspectedPage = z.infer<typeof inspectedPage>;
