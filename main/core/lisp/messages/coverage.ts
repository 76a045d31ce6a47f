/** Coverage of code that was compiled with counters: by `compile-text` with that policy, or by `cover-system`. */
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
  /** Returns the counted forms of a file, outer ones first. `text` is the compiled text. */
  'coverage-marks': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ file: z.string() }),
    reply: z.object({ found: z.boolean(), text: z.string(), forms: z.array(countedForm) }),
  },
  /** Resets all counters. */
  'reset-coverage': {
    lane: 'looking-up',
    changes: true,
    request: z.object({}),
    reply: z.object({ /** The number of counted files. */ files: z.int().nonnegative() }),
  },
  /** Recompiles and loads a system's source files, with or without counters. The system's compiled files do not change. */
  'cover-system': {
    lane: 'worker',
    request: runRequest.extend({ system: z.string(), counts: z.boolean() }),
    reply: runReply(z.object({ name: z.string(), files: z.int().nonnegative() })),
  },
} as const;
