/** The person's tracing of functions: they switch it by name, and the calls come as events of their evaluations. */
import { z } from 'zod';
import { nameInRepl } from './name-calls.ts';
import { tracedCall } from './profiling.ts';
import { replId } from './repl-calls.ts';

export const traceCalls = {
  /**
   * Traces a function with its methods, or no longer. `traced` are all that are traced then, `function` the one that was meant, as the
   * image prints it; `problem` says why it cannot be traced. Null where no image is up.
   */
  'trace.toggle': {
    input: nameInRepl,
    output: z
      .object({ traced: z.array(z.string()), function: z.string().nullable(), problem: z.string().nullable() })
      .nullable(),
  },
  /** Ends the trace of all functions in a REPL's image. Null where no image is up. */
  'trace.end': { input: z.object({ repl: replId }), output: z.object({ ended: z.array(z.string()) }).nullable() },
} as const;

/** Calls of traced functions in an evaluation of the person's, in order; `dropped` are further ones that were only counted. */
export const tracedCalls = z.object({
  evaluation: z.string(),
  calls: z.array(tracedCall),
  dropped: z.int().nonnegative(),
});

export type TracedCalls = z.infer<typeof tracedCalls>;
