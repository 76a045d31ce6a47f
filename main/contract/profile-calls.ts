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
} as const;
