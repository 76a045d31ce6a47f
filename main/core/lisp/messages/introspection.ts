/** Looking up what names mean and where they stand. */
import { z } from 'zod';
import { packageIndentation } from '#contract/image/indentation.ts';
import {
  arglist,
  classDescription,
  classGraph,
  completion,
  crossReference,
  describedName,
  foundDefinition,
  genericFunctionDescription,
  packageRecord,
  relation,
  symbolRecord,
  syntaxProblem,
} from '#contract/image/introspection.ts';
import { contextId } from './run.ts';

/** The package that counts: the named one, else the context's current one. An unknown name is an error. */
const inPackage = z.object({ context: contextId, package: z.string().nullable() });

export const introspectionMessages = {
  'describe-symbol': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ context: contextId, symbol: z.string(), package: z.string().nullable() }),
    reply: describedName,
  },
  /** Completes `prefix`: locals, symbols, packages, best first. */
  complete: {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({
      prefix: z.string(),
      /** The top-level form around the cursor and the cursor's place in it, for its locals. */
      text: z.string().nullable(),
      offset: z.int().nonnegative().nullable(),
      limit: z.int().positive(),
    }),
    reply: z.object({ completions: z.array(completion) }),
  },
  /** The call around the cursor and the parameter that the cursor is about. */
  arglist: {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({
      /** The top-level form, at least up to the cursor. */
      text: z.string(),
      offset: z.int().nonnegative(),
    }),
    reply: arglist,
  },
  /** Symbols with a meaning whose name contains `pattern`, in any case. */
  apropos: {
    lane: 'looking-up',
    changes: false,
    request: z.object({
      pattern: z.string(),
      /** The package to search; null for every package but the insides of SBCL and ASDF. */
      package: z.string().nullable(),
      externalOnly: z.boolean(),
      /** Restricts the search to symbols that name one of these kinds; null for any. */
      kinds: z.array(z.string()).nullable(),
      /** Documentation strings that contain the pattern count too. */
      documentation: z.boolean(),
      /** Without a package, symbols of the user's packages alone where any match; the others are counted in the total. */
      usersAlone: z.boolean().optional(),
      limit: z.int().positive(),
    }),
    reply: z.object({ symbols: z.array(symbolRecord), total: z.int().nonnegative() }),
  },
  /** Every package, by name. */
  packages: {
    lane: 'looking-up',
    changes: false,
    request: z.object({}),
    reply: z.object({ packages: z.array(packageRecord) }),
  },
  /** A part of a package's symbols, by name. */
  'package-symbols': {
    lane: 'looking-up',
    changes: false,
    request: z.object({
      package: z.string(),
      which: z.enum(['external', 'internal', 'inherited', 'all']),
      /** A part of the name, in any case. */
      filter: z.string().nullable(),
      offset: z.int().nonnegative(),
      limit: z.int().positive(),
    }),
    reply: z.object({ package: z.string(), symbols: z.array(symbolRecord), total: z.int().nonnegative() }),
  },
  /** Tells how the macros of packages are indented, of all when none is named; those that are no packages are left out. */
  'macro-indentation': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ packages: z.array(z.string()).nullable() }),
    reply: z.object({ packages: z.array(packageIndentation) }),
  },
  /** Every definition of a name, of every kind. */
  'find-definition': {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({ symbol: z.string() }),
    reply: z.object({
      found: z.boolean(),
      symbol: z.string(),
      definitions: z.array(foundDefinition),
      /** The first 500 are sent. */
      total: z.int().nonnegative(),
    }),
  },
  /**
   * The classes, structures and conditions that define a slot themselves: of its name, or with `initarg` one that the keyword gives a value.
   * With `class` only that one and those above it.
   */
  'slot-definitions': {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({ symbol: z.string(), initarg: z.boolean(), class: z.string().nullable() }),
    reply: z.object({ definitions: z.array(foundDefinition) }),
  },
  /** Finds where a name is used, or what a function calls; the user's first, the implementation's last. */
  'cross-references': {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({ symbol: z.string(), relation, limit: z.int().positive() }),
    reply: z.object({
      found: z.boolean(),
      symbol: z.string(),
      references: z.array(crossReference),
      total: z.int().nonnegative(),
      /** How many of the total are of the implementation: the last ones. */
      implementation: z.int().nonnegative(),
    }),
  },
  /** A class that a symbol names. */
  class: {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({ symbol: z.string() }),
    reply: z.object({ found: z.boolean(), class: classDescription.nullable() }),
  },
  /** Roots with all below them; or the classes of a package, or of the user's, with all above them. */
  'class-graph': {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({ roots: z.array(z.string()).nullable(), limit: z.int().positive() }),
    reply: classGraph,
  },
  /** A generic function that a symbol names, or its setf function, with its methods. */
  'generic-function': {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({ symbol: z.string(), setf: z.boolean() }),
    reply: z.object({ found: z.boolean(), genericFunction: genericFunctionDescription.nullable() }),
  },
  /** Expand a form, or its part at `path` (list indexes), and show the whole. Reads as code of the context: names are
   * interned, macros run. */
  macroexpand: {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({
      form: z.string(),
      mode: z.enum(['once', 'fully', 'compiler-macro']),
      path: z.array(z.int().nonnegative()).nullable(),
    }),
    reply: z.object({
      text: z.string(),
      /** The offset of the expanded part in `text`. */
      start: z.int().nonnegative(),
      end: z.int().nonnegative(),
      changed: z.boolean(),
      path: z.array(z.int()),
      /** Characters left out at the end. */
      cut: z.int().nonnegative(),
    }),
  },
  disassemble: {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({ symbol: z.string(), /** Characters. */ limit: z.int().positive() }),
    reply: z.object({
      found: z.boolean(),
      text: z.string(),
      /** Octets of machine code, with those that were compiled together with it. */
      size: z.int().nonnegative().nullable(),
      cut: z.int().nonnegative(),
    }),
  },
  /** The text of DESCRIBE. */
  describe: {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({ symbol: z.string(), /** Characters. */ limit: z.int().positive() }),
    reply: z.object({ found: z.boolean(), text: z.string(), cut: z.int().nonnegative() }),
  },
  /** Names of the features that `#+` and `#-` test, as the image has them. */
  features: {
    lane: 'looking-up',
    changes: false,
    request: z.object({}),
    reply: z.object({ features: z.array(z.string()) }),
  },
  /** Finds what keeps a text from being read, without reading it: nothing is interned or evaluated. */
  'validate-syntax': {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({ text: z.string() }),
    reply: z.object({
      problems: z.array(syntaxProblem),
      /** The first 200 are sent. */
      total: z.int().nonnegative(),
      /** The number of forms at the top level. */
      forms: z.int().nonnegative(),
    }),
  },
} as const;
