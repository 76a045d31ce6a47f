/**
 * Calls of the page about names and source texts, answered by the image: completion, lambda lists, documentation, definitions, references.
 * None of them starts an image. Without a running image they return null, and the page uses only its static data.
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

/** The maximum length of a name in characters, including its package prefix. */
const NAME_LIMIT = 1000;
/** The maximum length in characters of a top-level form that is sent so that its local names are known. */
const FORM_LIMIT = 200_000;
/** The maximum length in characters of a text whose syntax is checked. */
const TEXT_LIMIT = 4_000_000;

const packageName = z.string().max(NAME_LIMIT).nullable();
/** The REPL whose image and current package are used. */
const repl = z.string().min(1).max(64).default(FIRST_REPL);
/** A name and the REPL in which it is looked up. */
export const nameInRepl = z.object({
  symbol: z.string().min(1).max(NAME_LIMIT),
  /** The package in which the name is read; null for the person's current package. */
  package: packageName,
  repl,
});

export const nameCalls = {
  /**
   * Returns completions of the typed text, best first. `text` is the top-level form around the caret; its local names are completed too.
   */
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
  /** Returns the lambda list of the call around a position in a text, and the parameter at that position. */
  'names.arglist': {
    asks: 'arglist',
    input: z.object({ package: packageName, text: z.string().max(FORM_LIMIT), offset: z.int().nonnegative(), repl }),
    output: arglist.nullable(),
  },
  /** Describes all meanings of a name, including the methods of a generic function. */
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
  /**
   * Lists the classes that define a slot, found by the slot's name or by the keyword that initializes it. With `class`, only that class and
   * its superclasses are searched.
   */
  'names.slots': {
    asks: 'slot-definitions',
    input: nameInRepl.extend({ initarg: z.boolean(), class: z.string().max(NAME_LIMIT).nullable() }),
    output: z.object({ definitions: z.array(foundDefinition) }).nullable(),
  },
  /**
   * Lists the references to a name for each of the given relations, at most `limit` per relation. Of the `total` references, the last
   * `implementation` ones are in SBCL's own code.
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
  /** Finds symbols by a substring of their name or documentation. The user's own symbols come first. */
  'names.apropos': {
    asks: 'apropos',
    input: z.object({
      pattern: z.string().max(NAME_LIMIT),
      /** The package to search; null for all packages except SBCL's internal ones. */
      package: packageName,
      externalOnly: z.boolean(),
      documentation: z.boolean(),
      kinds: z.array(z.string().max(40)).max(20).nullable(),
      limit: z.int().min(1).max(5000),
      repl,
    }),
    output: z.object({ symbols: z.array(symbolRecord), total: z.int().nonnegative() }).nullable(),
  },
  /** Returns SBCL's output about a name: the disassembly of the function, or the output of DESCRIBE. */
  'names.text': {
    input: nameInRepl.extend({ kind: z.enum(['disassembly', 'description']) }),
    output: z
      .object({
        found: z.boolean(),
        text: z.string(),
        /** The number of characters omitted at the end. */
        cut: z.int().nonnegative(),
      })
      .nullable(),
  },
  /** Expands a form, or only its subform at `path` (list indexes), and returns the whole form. Macro functions run, as in an evaluation. */
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
        /** The offset at which the expanded subform starts in `text`; `end` is the offset after it. */
        start: z.int().nonnegative(),
        end: z.int().nonnegative(),
        /** False if there was nothing to expand. */
        changed: z.boolean(),
        /** The number of characters omitted at the end. */
        cut: z.int().nonnegative(),
      })
      .nullable(),
  },
  /** Returns the names of the features that `#+` and `#-` test. */
  'names.features': {
    asks: 'features',
    input: z.object({}),
    output: z.object({ features: z.array(z.string()) }).nullable(),
  },
  /** Finds the errors that prevent a text from being read, without interning symbols or evaluating code. */
  'names.checkSyntax': {
    asks: 'validate-syntax',
    input: z.object({ text: z.string().max(TEXT_LIMIT), package: packageName }),
    output: z.object({ problems: z.array(syntaxProblem), total: z.int().nonnegative() }).nullable(),
  },
} as const;
