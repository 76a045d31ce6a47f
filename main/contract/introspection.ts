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
