/**
 * Tracing of functions by the person. A trace applies to a function's name. Traced calls arrive as events of the evaluations in which they
 * happen.
 */
import { z } from 'zod';
import { actor } from '#contract/image/session.ts';
import { nameInRepl } from '#contract/image/names.ts';
import { tracedCall } from './profiling.ts';
import { replId } from '#contract/image/repl.ts';

export const traceCalls = {
  /**
   * Starts tracing a function and its methods, or stops tracing it if it is traced. `traced` lists all traced functions afterwards;
   * `function` is the resolved function as the image prints it; `problem` explains why it cannot be traced. Returns null if no image is
   * running.
   */
  'trace.toggle': {
    input: nameInRepl,
    output: z
      .object({ traced: z.array(z.string()), function: z.string().nullable(), problem: z.string().nullable() })
      .nullable(),
  },
  /** Lists the traced functions in a REPL's image, as the image prints them. Returns null if no image is running. */
  'trace.list': {
    asks: 'traced',
    input: z.object({ repl: replId }),
    output: z.object({ traced: z.array(z.string()) }).nullable(),
  },
  /**
   * Starts or stops tracing a function with its methods, or one method, such as `(METHOD AREA (SHAPE))`. The name is read in CL-USER.
   * `traced` lists all traced functions afterwards. Returns null if no image is running.
   */
  'trace.set': {
    input: z.object({ repl: replId, function: z.string().min(1).max(1000), on: z.boolean() }),
    output: z.object({ traced: z.array(z.string()), problem: z.string().nullable() }).nullable(),
  },
  /** Stops all tracing in a REPL's image. Returns null if no image is running. */
  'trace.end': { input: z.object({ repl: replId }), output: z.object({ ended: z.array(z.string()) }).nullable() },
} as const;

/** Entries and exits of traced calls in an evaluation, in order. `dropped` is the number of further calls that were only counted. */
const tracedCalls = z.object({
  evaluation: z.string(),
  actor,
  /** The code of the evaluation, on one line. */
  summary: z.string(),
  calls: z.array(tracedCall),
  dropped: z.int().nonnegative(),
});

/**
 * Traced calls as they are sent to the page. `calls` contains them as JSON text, because the context bridge copies one text many times
 * faster than many objects.
 */
export const sentCalls = tracedCalls.extend({ calls: z.string() });

export type TracedCalls = z.infer<typeof tracedCalls>;
