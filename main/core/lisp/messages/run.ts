/** The fields of all requests that are queued for the image's worker. Such a request runs the user's code and ends in one of four ways. */
import { z } from 'zod';
import { conditionRecord, warningRecord } from '#contract/image/condition.ts';
import { effectsOfRun } from '#contract/decisions/past-effect.ts';
import { evaluationStatus, outputTail, timing } from '#contract/image/evaluation.ts';

/** The id of an evaluation, chosen by the core and unique during the life of the program. */
export const evaluationId = z.string();
/** The id of a context, which has a package, a history and a last error. Each REPL and each connection has one. */
export const contextId = z.string();

/**
 * How an unhandled error is treated. `report` ends the evaluation. `debug` waits in the debugger. `hold` sends the error as the reply
 * immediately, but the code waits in the debugger until the same context evaluates again.
 */
export const onError = z.enum(['report', 'debug', 'hold']);

/** True if effects of the code outside the image require approval: for agents, not for the person. */
export const guard = z.boolean();

/** True if the evaluation does not wait for a running evaluation of an agent. Both then run at the same time. */
export const overtakes = z.boolean().optional();

/** True if the process may have written to its standard output or error, and the core has not read it yet. */
export const outputUnread = z.boolean();

/** The debugger in which an answered evaluation is held; null if there is none. */
export const heldIn = z.string().nullable();

/** The fields of all requests for the worker except `evaluate`, which has different ones. */
export const runRequest = z.object({
  evaluation: evaluationId,
  context: contextId,
  actor: z.string(),
  /** The maximum number of output characters that are sent as events; all others are only counted. */
  outputLimit: z.int().positive(),
  onError,
  guard,
  overtakes,
});

/** Returns the reply schema of a run: how it ended, and its result if it succeeded. */
export function runReply<Result extends z.ZodType>(result: Result) {
  return z.object({
    status: evaluationStatus,
    result: result.nullable(),
    warnings: z.array(warningRecord),
    condition: conditionRecord.nullable(),
    timing,
    outputCut: z.int().nonnegative(),
    outputTails: z.array(outputTail),
    outputUnread,
    debugger: heldIn,
    ...effectsOfRun,
  });
}
