/** The person's view of coverage in the image of a REPL. No call starts an image: each answers null where none is up. */
import { z } from 'zod';
import { conditionRecord } from './condition.ts';
import { countedForm, fileCoverage } from './coverage.ts';
import { evaluationStatus } from './evaluation.ts';
import { replId } from './repl-calls.ts';

const inRepl = z.object({ repl: replId });

export const coverageCalls = {
  /** Lists the files that are counted, with how much of each has run. */
  'coverage.files': { input: inRepl, output: z.object({ files: z.array(fileCoverage) }).nullable() },
  /** Tells the counted forms of a file by their places in `text`, which is what was compiled. */
  'coverage.forms': {
    input: inRepl.extend({ file: z.string().max(4096) }),
    output: z.object({ found: z.boolean(), text: z.string(), forms: z.array(countedForm) }).nullable(),
  },
  /** Begins to count anew. */
  'coverage.reset': { input: inRepl, output: z.object({ files: z.int().nonnegative() }).nullable() },
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
