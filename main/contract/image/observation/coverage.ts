/** Coverage: what of the code that was compiled to be counted has run. */
import { z } from 'zod';
import { conditionRecord } from '#contract/image/condition.ts';
import { evaluationStatus } from '#contract/image/evaluation.ts';
import { replId } from '#contract/image/repl.ts';

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

const inRepl = z.object({ repl: replId });

export const coverageCalls = {
  /** Lists the files that are counted, with how much of each has run. */
  'coverage.files': { asks: 'coverage', input: inRepl, output: z.object({ files: z.array(fileCoverage) }).nullable() },
  /** Tells the counted forms of a file by their places in `text`, which is what was compiled. */
  'coverage.forms': {
    asks: 'coverage-marks',
    input: inRepl.extend({ file: z.string().max(4096) }),
    output: z.object({ found: z.boolean(), text: z.string(), forms: z.array(countedForm) }).nullable(),
  },
  /** Begins to count anew. */
  'coverage.reset': {
    asks: 'reset-coverage',
    input: inRepl,
    output: z.object({ files: z.int().nonnegative() }).nullable(),
  },
  /** Compiles and loads the files of a system when it is its turn, to be counted or no longer. */
  'coverage.system': {
    input: inRepl.extend({
      system: z.string().min(1).max(300),
      counts: z.boolean(),
      evaluation: z.string().min(8).max(64),
    }),
    output: z
      .object({
        status: evaluationStatus,
        condition: conditionRecord.nullable(),
        files: z.int().nonnegative().nullable(),
      })
      .nullable(),
  },
} as const;
