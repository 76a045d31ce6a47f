/** What an image tells about names: for the editor, the REPL and the browsers. Offsets count UTF-16 code units from 0. */
import { z } from 'zod';

/** Something that could stand where typing began. */
export const completion = z.object({
  /** As to insert in place of what was typed, with package prefix where one was given or is needed, in the typed case. */
  text: z.string(),
  /** function, macro, variable, class, package, keyword, local-variable, local-function …; empty for a mere name. */
  kinds: z.array(z.string()),
  lambdaList: z.string().nullable(),
  /** The symbol's home, or the package itself; null for locals. */
  package: z.string().nullable(),
  /** First line. */
  documentation: z.string().nullable(),
  /** Higher is better; only for comparing completions of one reply. */
  score: z.int(),
  /** Start and end of each run in `text` that answers to what was typed. */
  matches: z.array(z.tuple([z.int().nonnegative(), z.int().nonnegative()])),
});

export type Completion = z.infer<typeof completion>;

/** The lambda list of the call around a cursor. `current` is an index of `parameters`. */
export const arglist = z.object({
  found: z.boolean(),
  operator: z.string().nullable(),
  /** function, generic-function, macro, special-operator, local-function. */
  kind: z.string().nullable(),
  /** `(A &OPTIONAL (B 1) &KEY C)` with the keyword parameters of methods and of the class that the call names. */
  lambdaList: z.string().nullable(),
  /** Without the lambda list keywords; start and end within `lambdaList`. */
  parameters: z.array(z.object({ text: z.string(), start: z.int().nonnegative(), end: z.int().nonnegative() })),
  current: z.int().nonnegative().nullable(),
  documentation: z.string().nullable(),
});

export type Arglist = z.infer<typeof arglist>;
