/** The person's profiles of code. No call starts an image: each answers null where none is up. */
import { z } from 'zod';
import { conditionRecord } from './condition.ts';
import { evaluationStatus } from './evaluation.ts';
import { profileMode, profileResult } from './profiling.ts';
import { replId } from './repl-calls.ts';

export const profileCalls = {
  /** Runs code when it is its turn, and samples its last form; null for the package means the REPL's own. */
  'profile.run': {
    input: z.object({
      repl: replId,
      code: z.string().min(1),
      package: z.string().nullable(),
      mode: profileMode,
      evaluation: z.string().min(8).max(64),
    }),
    output: z
      .object({ status: evaluationStatus, condition: conditionRecord.nullable(), profile: profileResult.nullable() })
      .nullable(),
  },
  /** Samples all threads of a REPL's image from now on; `problem` says why not. */
  'profile.start': {
    input: z.object({ repl: replId, mode: profileMode }),
    output: z.object({ problem: z.string().nullable() }).nullable(),
  },
  /** Ends that, and tells what was sampled; null where none was taken. */
  'profile.stop': {
    input: z.object({ repl: replId }),
    output: z.object({ profile: profileResult.nullable() }).nullable(),
  },
  /** Tells for how long all threads are being sampled; null where they are not. */
  'profile.state': {
    input: z.object({ repl: replId }),
    output: z.object({ elapsedMs: z.number().nullable() }).nullable(),
  },
} as const;
