/** Calls of the class, generic function and package browsers. They do not start an image; without a running image they return null. */
import { z } from 'zod';
import {
  classDescription,
  classGraph,
  genericFunctionDescription,
  packageRecord,
  symbolRecord,
} from './introspection.ts';
import { nameInRepl } from './names.ts';
import { replId } from './repl.ts';

const CLASSES = 20_000;

export const browserCalls = {
  /**
   * Returns the classes of a package with all their superclasses; a null `package` means the user's packages. If `roots` is given, returns
   * those classes with all their subclasses instead. The names in `roots` are read in `package`, or in the person's current package if it
   * is null.
   */
  'classes.graph': {
    asks: 'class-graph',
    input: z.object({
      package: z.string().max(1000).nullable(),
      roots: z.array(z.string().max(1000)).max(20).nullable(),
      limit: z.int().min(1).max(CLASSES),
      repl: replId,
    }),
    output: classGraph.nullable(),
  },
  'classes.describe': {
    asks: 'class',
    input: nameInRepl,
    output: z.object({ class: classDescription.nullable() }).nullable(),
  },
  'functions.describe': {
    asks: 'generic-function',
    input: nameInRepl.extend({ setf: z.boolean() }),
    output: z.object({ genericFunction: genericFunctionDescription.nullable() }).nullable(),
  },
  'packages.list': {
    asks: 'packages',
    input: z.object({ repl: replId }),
    output: z.object({ packages: z.array(packageRecord) }).nullable(),
  },
  'packages.symbols': {
    asks: 'package-symbols',
    with: { offset: 0 },
    input: z.object({
      package: z.string().max(1000),
      which: z.enum(['external', 'internal', 'inherited']),
      /** A substring of the name, case-insensitive. */
      filter: z.string().max(1000),
      limit: z.int().min(1).max(20_000),
      repl: replId,
    }),
    output: z.object({ symbols: z.array(symbolRecord), total: z.int().nonnegative() }).nullable(),
  },
} as const;
