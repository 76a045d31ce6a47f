/** The image's answers about names, for the editor, the REPL and the browsers. Offsets count UTF-16 code units from 0. */
import { z } from 'zod';
import { definitionSource } from './definition.ts';

/** A possible completion of the typed text. */
export const completion = z.object({
  /** The replacement for the typed text, in the letter case of that text. Includes a package prefix if one was typed or is needed. */
  text: z.string(),
  /**
   * The kinds: function, macro, variable, class, package, keyword, loop-word, local-variable, local-function …; empty for a symbol without
   * definitions.
   */
  kinds: z.array(z.string()),
  lambdaList: z.string().nullable(),
  /** The symbol's home package, or the package itself; null for local names. */
  package: z.string().nullable(),
  /** First line. */
  documentation: z.string().nullable(),
  /** The rank of the completion: higher is better. Only comparable within one reply. */
  score: z.int(),
  /** The start and end of each section of `text` that matches typed characters. */
  matches: z.array(z.tuple([z.int().nonnegative(), z.int().nonnegative()])),
});

/** The lambda list of the call around the caret. `current` is the index in `parameters` of the parameter at the caret. */
export const arglist = z.object({
  found: z.boolean(),
  operator: z.string().nullable(),
  /** The kind: function, generic-function, macro, special-operator, local-function. */
  kind: z.string().nullable(),
  /**
   * The lambda list, such as `(A &OPTIONAL (B 1) &KEY C)`. It includes the keyword parameters of the generic function's methods and of the
   * class that the call names.
   */
  lambdaList: z.string().nullable(),
  /** The parameters without the lambda list keywords, each with its start and end in `lambdaList`. */
  parameters: z.array(z.object({ text: z.string(), start: z.int().nonnegative(), end: z.int().nonnegative() })),
  current: z.int().nonnegative().nullable(),
  documentation: z.string().nullable(),
});

export const symbolRecord = z.object({
  name: z.string(),
  /** The symbol as prin1 prints it from CL-USER. */
  printed: z.string(),
  /** The name of the symbol's home package. */
  package: z.string().nullable(),
  /** True if the symbol is exported from its home package. */
  external: z.boolean(),
  /**
   * The kinds of definitions that the symbol has: function, generic-function, macro, special-operator, setf-function, variable, class …;
   * may be empty.
   */
  kinds: z.array(z.string()),
  lambdaList: z.string().nullable(),
  /** First line. */
  documentation: z.string().nullable(),
});

export const packageRecord = z.object({
  name: z.string(),
  nicknames: z.array(z.string()),
  localNicknames: z.array(z.object({ nickname: z.string(), package: z.string() })),
  uses: z.array(z.string()),
  usedBy: z.array(z.string()),
  /**
   * The number of symbols whose home is this package. `external` counts the symbols that it exports, `internal` those that are present in
   * it but not exported.
   */
  symbols: z.int().nonnegative(),
  external: z.int().nonnegative(),
  internal: z.int().nonnegative(),
  locked: z.boolean(),
  documentation: z.string().nullable(),
  /** True for CL-USER and for packages that a fresh image does not have. */
  user: z.boolean(),
});

export type SymbolRecord = z.infer<typeof symbolRecord>;
export type PackageRecord = z.infer<typeof packageRecord>;

/** The location of a definition or reference. */
const foundPlace = z.object({
  /** The start of the definition or reference; null if there is no file to show. */
  source: definitionSource.nullable(),
  /** The end offset. */
  end: z.int().nonnegative().nullable(),
  /** The text of the line on which the definition or reference begins. */
  snippet: z.string().nullable(),
  /** The evaluation that created the definition in this image; `actor` is that evaluation's actor. Both are null for other definitions. */
  evaluation: z.string().nullable(),
  actor: z.string().nullable(),
  /** A sentence that explains why there is no location; null if there is one. */
  why: z.string().nullable(),
});

export const foundDefinition = foundPlace.extend({
  /**
   * The kind: function, generic-function, macro, special-operator, method, setf-function, setf-method, variable, constant, class,
   * structure, condition, type, symbol-macro, setf-expander, compiler-macro, method-combination, package, system, and kinds internal to the
   * compiler: transform, source-transform, optimizer, vop, ir1-convert, declaration, alien-type.
   */
  kind: z.string(),
  /** The name; methods include qualifiers and specializers. */
  name: z.string(),
  /** The evaluated form and the package in which it was read, for a definition that is not in a file; null if unknown. */
  evaluated: z.object({ text: z.string(), package: z.string().nullable() }).nullable(),
});

export type FoundDefinition = z.infer<typeof foundDefinition>;
export type FoundPlace = z.infer<typeof foundPlace>;

export const relation = z.enum([
  'calls',
  'called-by',
  'references',
  'binds',
  'sets',
  'macroexpands',
  'specializes',
  'callers-by-object',
]);

/**
 * A reference to a name. The range from `source` to `end` is the reference itself if its position is known; otherwise it is the form that
 * SBCL reports, or the surrounding definition.
 */
export const crossReference = foundPlace.extend({
  /** The kind of the definition that contains the reference; for `calls`, the kind of the called function. */
  kind: z.string(),
  name: z.string(),
});

export type CrossReference = z.infer<typeof crossReference>;

const methodDescription = foundPlace.extend({
  /** The name of the method with its qualifiers and specializers. */
  name: z.string(),
  qualifiers: z.array(z.string()),
  specializers: z.array(z.string()),
  lambdaList: z.string(),
  documentation: z.string().nullable(),
});

export const slotDescription = z.object({
  name: z.string(),
  allocation: z.enum(['instance', 'class', 'other']),
  type: z.string(),
  initargs: z.array(z.string()),
  initform: z.string().nullable(),
  readers: z.array(z.string()),
  writers: z.array(z.string()),
  documentation: z.string().nullable(),
  /** The most specific class that defines the slot. */
  from: z.string(),
});

export const classKind = z.enum(['class', 'structure', 'condition']);

/** The description of a class. Lists have at most 500 elements. Names are printed relative to the request's package. */
export const classDescription = foundPlace.extend({
  name: z.string(),
  kind: classKind,
  metaclass: z.string(),
  /**
   * True once the class is finalized, at the latest when its first instance is created. Until then, slots and precedence are only partly
   * known.
   */
  finalized: z.boolean(),
  superclasses: z.array(z.string()),
  subclasses: z.array(z.string()),
  precedence: z.array(z.string()),
  slots: z.array(slotDescription),
  defaultInitargs: z.array(z.object({ initarg: z.string(), form: z.string() })),
  /** The methods that are specialized on the class, including its slot accessors. */
  methods: z.array(methodDescription),
  documentation: z.string().nullable(),
});

/** Classes, each with those of its direct superclasses that are also in the graph. Names are printed relative to the package `seenFrom`. */
export const classGraph = z.object({
  seenFrom: z.string(),
  nodes: z.array(z.object({ name: z.string(), kind: classKind, user: z.boolean() })),
  edges: z.array(z.object({ class: z.string(), superclass: z.string() })),
  total: z.int().nonnegative(),
});

export type ClassGraph = z.infer<typeof classGraph>;
export type ClassDescription = z.infer<typeof classDescription>;
export type GenericFunctionDescription = z.infer<typeof genericFunctionDescription>;

export const genericFunctionDescription = foundPlace.extend({
  name: z.string(),
  class: z.string(),
  lambdaList: z.string(),
  /** The method combination: STANDARD, (PROGN :MOST-SPECIFIC-FIRST) … */
  methodCombination: z.string(),
  methods: z.array(methodDescription),
  total: z.int().nonnegative(),
  documentation: z.string().nullable(),
});

export type MethodDescription = z.infer<typeof methodDescription>;
export type SyntaxProblem = z.infer<typeof syntaxProblem>;
export type SlotDescription = z.infer<typeof slotDescription>;

/** A syntax error in a text, or a likely mistake if the severity is `note`. */
export const syntaxProblem = z.object({
  severity: z.enum(['error', 'note']),
  kind: z.enum([
    'unclosed',
    'unmatched',
    'unterminated-string',
    'unterminated-comment',
    'unterminated-symbol',
    'incomplete',
    'comma',
    'dispatch',
    'reader-macro',
    'dot',
    'character',
    'package',
    'external',
  ]),
  message: z.string(),
  offset: z.int().nonnegative(),
  line: z.int().positive().describe('From 1.'),
  column: z.int().nonnegative().describe('Counted from 0; texts of replies count from 1.'),
});

/** The description of a symbol with all its meanings. */
export const describedName = z.object({
  found: z.boolean(),
  /** The symbol as prin1 prints it from CL-USER. */
  symbol: z.string(),
  package: z.string(),
  unknownPackage: z.boolean(),
  /** The meanings of the symbol, one for each definition; empty if there are none. */
  meanings: z.array(
    z.object({
      /** The kind: function, macro, generic function, special operator, variable, constant, class, structure, condition, type … */
      kind: z.string(),
      lambdaList: z.string().nullable(),
      documentation: z.string().nullable(),
      value: z.string().nullable(),
      source: definitionSource.nullable(),
    }),
  ),
  /** The names of the most similar symbols if the symbol was not found, best first, at most 5. */
  near: z.array(z.string()),
});

export type DescribedName = z.infer<typeof describedName>;
export type Completion = z.infer<typeof completion>;
export type Relation = z.infer<typeof relation>;
