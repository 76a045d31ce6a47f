/** Coverage: which forms of instrumented code have run. */
import { z } from 'zod';
import { conditionRecord } from '#contract/image/condition.ts';
import { evaluationStatus } from '#contract/image/evaluation.ts';
import { replId } from '#contract/image/repl.ts';

/** A file with coverage. Top-level forms themselves are not counted, because they run once when they are loaded. */
export const fileCoverage = z.object({
  /** The absolute path, or the name of an unsaved buffer. */
  file: z.string(),
  expressions: z.int().nonnegative(),
  executed: z.int().nonnegative(),
  /** The number of branch outcomes, two for each branch. */
  branches: z.int().nonnegative(),
  taken: z.int().nonnegative(),
});

/** An instrumented form, from `start` up to but excluding `end`, in UTF-16 code units. */
export const countedForm = z.object({
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  executed: z.boolean(),
  /** True if the branch was taken in this direction at least once; null for a form that is not a branch. */
  thenTaken: z.boolean().nullable(),
  elseTaken: z.boolean().nullable(),
});

export type FileCoverage = z.infer<typeof fileCoverage>;
export type CountedForm = z.infer<typeof countedForm>;

const inRepl = z.object({ repl: replId });

export const coverageCalls = {
  /** Lists the instrumented files, with the numbers of forms and branches that have run in each. */
  'coverage.files': { asks: 'coverage', input: inRepl, output: z.object({ files: z.array(fileCoverage) }).nullable() },
  /** Returns the instrumented forms of a file by their positions in `text`, which must be the text that was compiled. */
  'coverage.forms': {
    asks: 'coverage-marks',
    input: inRepl.extend({ file: z.string().max(4096) }),
    output: z.object({ found: z.boolean(), text: z.string(), forms: z.array(countedForm) }).nullable(),
  },
  /** Resets all counts. */
  'coverage.reset': {
    asks: 'reset-coverage',
    input: inRepl,
    output: z.object({ files: z.int().nonnegative() }).nullable(),
  },
  /** Compiles and loads the files of a system, with or without instrumentation, when the call's turn in the queue comes. */
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
