/** The person's tracing of functions: they switch it by name, and the calls come as events of their evaluations. */
import { z } from 'zod';
import { actor } from '#contract/image/session.ts';
import { nameInRepl } from '#contract/image/names.ts';
import { tracedCall } from './profiling.ts';
import { replId } from '#contract/image/repl.ts';

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
  /** Lists what is traced in a REPL's image, as the image prints it. Null where no image is up. */
  'trace.list': {
    asks: 'traced',
    input: z.object({ repl: replId }),
    output: z.object({ traced: z.array(z.string()) }).nullable(),
  },
  /**
   * Traces a function with its methods, or one method, `(METHOD AREA (SHAPE))`, or no longer; the name is read in CL-USER. `traced` are all
   * that are traced then. Null where no image is up.
   */
  'trace.set': {
    input: z.object({ repl: replId, function: z.string().min(1).max(1000), on: z.boolean() }),
    output: z.object({ traced: z.array(z.string()), problem: z.string().nullable() }).nullable(),
  },
  /** Ends the trace of all functions in a REPL's image. Null where no image is up. */
  'trace.end': { input: z.object({ repl: replId }), output: z.object({ ended: z.array(z.string()) }).nullable() },
} as const;

/** Beginnings and ends of calls of traced functions in an evaluation, in order; `dropped` are all further calls of it that were only counted. */
const tracedCalls = z.object({
  evaluation: z.string(),
  actor,
  /** The code of the evaluation, on one line. */
  summary: z.string(),
  calls: z.array(tracedCall),
  dropped: z.int().nonnegative(),
});

/** Traced calls on their way to the page, the lines of them as JSON: a bridge between worlds copies a text many times faster than its objects. */
export const sentCalls = tracedCalls.extend({ calls: z.string() });

export type TracedCalls = z.infer<typeof tracedCalls>;
