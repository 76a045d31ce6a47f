/** Coverage: what of the code that was compiled to be counted has run. */
import { z } from 'zod';

/** A file that is counted. Whole top-level forms are left out: they run as they are loaded, and never again. */
export const fileCoverage = z.object({
  /** Absolute path, or the name of an unsaved text. */
  file: z.string(),
  expressions: z.int().nonnegative(),
  executed: z.int().nonnegative(),
  /** Ways out of branches, two for each. */
  branches: z.int().nonnegative(),
  taken: z.int().nonnegative(),
});

/** A form that is counted, from `start` to before `end` in UTF-16 code units. */
export const countedForm = z.object({
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  executed: z.boolean(),
  /** True where that way out of the branch was taken; null for what is no branch. */
  thenTaken: z.boolean().nullable(),
  elseTaken: z.boolean().nullable(),
});

export type FileCoverage = z.infer<typeof fileCoverage>;
export type CountedForm = z.infer<typeof countedForm>;
