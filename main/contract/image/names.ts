/**
 * The page's questions about names and texts, answered by the image: completion, lambda lists, documentation, definitions,
 * references. All are null where no image is up, which none of them starts: the page then has its static answers alone.
 */
import { z } from 'zod';
import {
  arglist,
  completion,
  crossReference,
  describedName,
  foundDefinition,
  genericFunctionDescription,
  relation,
  symbolRecord,
  syntaxProblem,
} from './introspection.ts';
import { FIRST_REPL } from './shared-image.ts';

/** Characters of a name, with its package prefix. */
const NAME_LIMIT = 1000;
/** Characters of a top-level form that is sent along for its local names. */
const FORM_LIMIT = 200_000;
/** Characters of a text whose syntax is looked at. */
const TEXT_LIMIT = 4_000_000;

const packageName = z.string().max(NAME_LIMIT).nullable();
/** The REPL whose image and current package are meant. */
const repl = z.string().min(1).max(64).default(FIRST_REPL);
/** A name and the REPL in which it is meant. */
export const nameInRepl = z.object({
  symbol: z.string().min(1).max(NAME_LIMIT),
  /** The package in which the name is read; null for the person's current one. */
  package: packageName,
  repl,
});

export const nameCalls = {
  /** Completes what was typed, best first. `text` is the top-level form around the caret, for its local names. */
  'names.complete': {
    asks: 'complete',
    input: z.object({
      prefix: z.string().max(NAME_LIMIT),
      package: packageName,
      text: z.string().max(FORM_LIMIT).nullable(),
      offset: z.int().nonnegative().nullable(),
      limit: z.int().min(1).max(500),
      repl,
    }),
    output: z.object({ completions: z.array(completion) }).nullable(),
  },
  /** Tells the lambda list of the call around a place of a text, and the parameter that the place is about. */
  'names.arglist': {
    asks: 'arglist',
    input: z.object({ package: packageName, text: z.string().max(FORM_LIMIT), offset: z.int().nonnegative(), repl }),
    output: arglist.nullable(),
  },
  /** Tells all that a name means, with the methods of its generic function. */
  'names.describe': {
    input: nameInRepl,
    output: z.object({ described: describedName, genericFunction: genericFunctionDescription.nullable() }).nullable(),
  },
  /** Lists every definition of a name. */
  'names.definitions': {
    asks: 'find-definition',
    input: nameInRepl,
    output: z
      .object({ symbol: z.string(), definitions: z.array(foundDefinition), total: z.int().nonnegative() })
      .nullable(),
  },
  /** Lists the classes that define a slot: of a name, or one that a keyword gives a value; with `class` of it and those above it alone. */
  'names.slots': {
    asks: 'slot-definitions',
    input: nameInRepl.extend({ initarg: z.boolean(), class: z.string().max(NAME_LIMIT).nullable() }),
    output: z.object({ definitions: z.array(foundDefinition) }).nullable(),
  },
  /**
   * Lists the places that stand in these relations to a name, of each relation at most `limit`. The last `implementation` of the total are in
   * code that the Lisp came with.
   */
  'names.references': {
    input: nameInRepl.extend({ relations: z.array(relation).min(1).max(8), limit: z.int().min(1).max(2000) }),
    output: z
      .object({
        symbol: z.string(),
        relations: z.array(
          z.object({
            relation,
            references: z.array(crossReference),
            total: z.int().nonnegative(),
            implementation: z.int().nonnegative(),
          }),
        ),
      })
      .nullable(),
  },
  /** Finds symbols by a part of their name, or of what is documented of them; the user's own first. */
  'names.apropos': {
    asks: 'apropos',
    input: z.object({
      pattern: z.string().max(NAME_LIMIT),
      /** The package to search; null for every one but the insides of SBCL. */
      package: packageName,
      externalOnly: z.boolean(),
      documentation: z.boolean(),
      kinds: z.array(z.string().max(40)).max(20).nullable(),
      limit: z.int().min(1).max(5000),
      repl,
    }),
    output: z.object({ symbols: z.array(symbolRecord), total: z.int().nonnegative() }).nullable(),
  },
  /** The text that SBCL writes about a name: the machine code of the function, or the text of DESCRIBE. */
  'names.text': {
    input: nameInRepl.extend({ kind: z.enum(['disassembly', 'description']) }),
    output: z
      .object({
        found: z.boolean(),
        text: z.string(),
        /** Characters left out at the end. */
        cut: z.int().nonnegative(),
      })
      .nullable(),
  },
  /** Expands a form, or its part at `path` (list indexes), and shows the whole. Macros run, as they do when it is evaluated. */
  'names.expand': {
    asks: 'macroexpand',
    input: z.object({
      form: z.string().min(1).max(FORM_LIMIT),
      package: packageName,
      mode: z.enum(['once', 'fully', 'compiler-macro']),
      path: z.array(z.int().nonnegative()).max(1000).nullable(),
      repl,
    }),
    output: z
      .object({
        text: z.string(),
        /** Offsets of the expanded part in `text`. */
        start: z.int().nonnegative(),
        end: z.int().nonnegative(),
        /** False when there was nothing to expand. */
        changed: z.boolean(),
        /** Characters left out at the end. */
        cut: z.int().nonnegative(),
      })
      .nullable(),
  },
  /** Tells the features that `#+` and `#-` test, by their names. */
  'names.features': {
    asks: 'features',
    input: z.object({}),
    output: z.object({ features: z.array(z.string()) }).nullable(),
  },
  /** Finds what keeps a text from being read. Nothing of it is interned or evaluated. */
  'names.checkSyntax': {
    asks: 'validate-syntax',
    input: z.object({ text: z.string().max(TEXT_LIMIT), package: packageName }),
    output: z.object({ problems: z.array(syntaxProblem), total: z.int().nonnegative() }).nullable(),
  },
} as const;
