/** Coverage of the code that was compiled to be counted: by `compile-text` with that policy, or by `cover-system`. */
import { z } from 'zod';
import { countedForm, fileCoverage } from '#contract/image/observation/coverage.ts';
import { runReply, runRequest } from './run.ts';

export const coverageMessages = {
  coverage: {
    lane: 'looking-up',
    changes: false,
    request: z.object({}),
    reply: z.object({ files: z.array(fileCoverage) }),
  },
  /** Tells the counted forms of a file, outer ones first, in `text`: the one that was compiled. */
  'coverage-marks': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ file: z.string() }),
    reply: z.object({ found: z.boolean(), text: z.string(), forms: z.array(countedForm) }),
  },
  /** Begin to count anew: nothing has run. */
  'reset-coverage': {
    lane: 'looking-up',
    changes: true,
    request: z.object({}),
    reply: z.object({ /** Files that are counted. */ files: z.int().nonnegative() }),
  },
  /** Compile and load the source files of a system anew, to be counted or no longer. Its compiled files stay what they are. */
  'cover-system': {
    lane: 'worker',
    request: runRequest.extend({ system: z.string(), counts: z.boolean() }),
    reply: runReply(z.object({ name: z.string(), files: z.int().nonnegative() })),
  },
} as const;
