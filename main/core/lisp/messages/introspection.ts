/** The operations that look up the meaning of names and their source locations. */
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

/** The package to use; null means the context's current one. If there is no such package, the request fails. */
const inPackage = z.object({ context: contextId, package: z.string().nullable() });

export const introspectionMessages = {
  'describe-symbol': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ context: contextId, symbol: z.string(), package: z.string().nullable() }),
    reply: describedName,
  },
  /** Completes `prefix` with locals, symbols and packages, best first. */
  complete: {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({
      prefix: z.string(),
      /** The top-level form around the caret and the caret's offset in it, used to complete locals. */
      text: z.string().nullable(),
      offset: z.int().nonnegative().nullable(),
      limit: z.int().positive(),
    }),
    reply: z.object({ completions: z.array(completion) }),
  },
  /** Returns the call around the caret, and its current parameter. */
  arglist: {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({
      /** The text of the top-level form, at least up to the caret. */
      text: z.string(),
      offset: z.int().nonnegative(),
    }),
    reply: arglist,
  },
  /** Returns defined symbols whose names contain `pattern`, ignoring case. */
  apropos: {
    lane: 'looking-up',
    changes: false,
    request: z.object({
      pattern: z.string(),
      /** The package to search; null for all packages except SBCL's and ASDF's internal ones. */
      package: z.string().nullable(),
      externalOnly: z.boolean(),
      /** Limits the search to symbols that name one of these kinds; null allows all kinds. */
      kinds: z.array(z.string()).nullable(),
      /** True to search documentation strings too. */
      documentation: z.boolean(),
      /**
       * If true and no package is given, the symbols of the user's packages are returned alone if any of them match. The other matches are
       * still counted in the total.
       */
      usersAlone: z.boolean().optional(),
      limit: z.int().positive(),
    }),
    reply: z.object({ symbols: z.array(symbolRecord), total: z.int().nonnegative() }),
  },
  /** Returns every package, sorted by name. */
  packages: {
    lane: 'looking-up',
    changes: false,
    request: z.object({}),
    reply: z.object({ packages: z.array(packageRecord) }),
  },
  /** Returns a range of a package's symbols, sorted by name. */
  'package-symbols': {
    lane: 'looking-up',
    changes: false,
    request: z.object({
      package: z.string(),
      which: z.enum(['external', 'internal', 'inherited', 'all']),
      /** A substring of the name, ignoring case. */
      filter: z.string().nullable(),
      offset: z.int().nonnegative(),
      limit: z.int().positive(),
    }),
    reply: z.object({ package: z.string(), symbols: z.array(symbolRecord), total: z.int().nonnegative() }),
  },
  /** Returns how the macros of the named packages, or of all packages if none is named, are indented. Unknown packages are left out. */
  'macro-indentation': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ packages: z.array(z.string()).nullable() }),
    reply: z.object({ packages: z.array(packageIndentation) }),
  },
  /** Returns all definitions of a name, of every kind. */
  'find-definition': {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({ symbol: z.string() }),
    reply: z.object({
      found: z.boolean(),
      symbol: z.string(),
      definitions: z.array(foundDefinition),
      /** The number of all definitions; only the first 500 are sent. */
      total: z.int().nonnegative(),
    }),
  },
  /**
   * Returns the classes, structures and conditions that themselves define a slot with this name or, with `initarg`, a slot with this
   * keyword as its initarg. `class` limits the result to that class and its superclasses.
   */
  'slot-definitions': {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({ symbol: z.string(), initarg: z.boolean(), class: z.string().nullable() }),
    reply: z.object({ definitions: z.array(foundDefinition) }),
  },
  /**
   * Returns the locations at which a name is used, or the functions that a function calls. Entries in user code come first, entries in
   * SBCL's own code last.
   */
  'cross-references': {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({ symbol: z.string(), relation, limit: z.int().positive() }),
    reply: z.object({
      found: z.boolean(),
      symbol: z.string(),
      references: z.array(crossReference),
      total: z.int().nonnegative(),
      /** The number of entries in the total that are in SBCL's own code; they are the last ones. */
      implementation: z.int().nonnegative(),
    }),
  },
  /** Returns the description of the class that a symbol names. */
  class: {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({ symbol: z.string() }),
    reply: z.object({ found: z.boolean(), class: classDescription.nullable() }),
  },
  /**
   * Returns the root classes with all their subclasses. Without roots, returns the classes of a package, or the user's classes, with all
   * their superclasses.
   */
  'class-graph': {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({ roots: z.array(z.string()).nullable(), limit: z.int().positive() }),
    reply: classGraph,
  },
  /** Returns the description of the generic function that a symbol names, or of the symbol's setf function, with its methods. */
  'generic-function': {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({ symbol: z.string(), setf: z.boolean() }),
    reply: z.object({ found: z.boolean(), genericFunction: genericFunctionDescription.nullable() }),
  },
  /**
   * Expands a form, or only its part at `path` (list indexes), and returns the whole form. The text is read as code of the context, so its
   * names are interned. The expansion calls the macro functions.
   */
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
      /** The number of characters omitted from the end. */
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
      /** The number of octets of machine code, including the code of functions that were compiled together with this function. */
      size: z.int().nonnegative().nullable(),
      cut: z.int().nonnegative(),
    }),
  },
  /** Returns the output of DESCRIBE. */
  describe: {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({ symbol: z.string(), /** Characters. */ limit: z.int().positive() }),
    reply: z.object({ found: z.boolean(), text: z.string(), cut: z.int().nonnegative() }),
  },
  /** Returns the names of the image's features, which `#+` and `#-` test. */
  features: {
    lane: 'looking-up',
    changes: false,
    request: z.object({}),
    reply: z.object({ features: z.array(z.string()) }),
  },
  /** Finds the errors that make source text unreadable, without using the Lisp reader: no symbol is interned and no code is evaluated. */
  'validate-syntax': {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({ text: z.string() }),
    reply: z.object({
      problems: z.array(syntaxProblem),
      /** The number of all problems; only the first 200 are sent. */
      total: z.int().nonnegative(),
      /** The number of top-level forms. */
      forms: z.int().nonnegative(),
    }),
  },
} as const;
