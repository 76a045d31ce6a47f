/** The page's calls about objects of images, known by handles that no two images share. Every string and number has a bound: the page is not believed. */
import { z } from 'zod';
import { conditionRecord } from './condition.ts';
import { evaluationStatus, printedValue } from './evaluation.ts';
import { FIRST_REPL } from './shared-image.ts';
import {
  foundParts,
  inspectedPage,
  inspectedPicture,
  inspectedPlot,
  inspectedTable,
  numberedParts,
} from './inspection.ts';

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
