/** The fields of all requests that take a turn in the image's worker: they run the user's code and end in one of four ways. */
import { z } from 'zod';
import { conditionRecord, warningRecord } from '#contract/image/condition.ts';
import { effectsOfRun } from '#contract/decisions/past-effect.ts';
import { evaluationStatus, outputTail, timing } from '#contract/image/evaluation.ts';

/** Chosen by the core, unique in the life of the program. */
export const evaluationId = z.string();
/** The id of a context, which has a package, a history and a last error: one for each REPL and each connection. */
export const contextId = z.string();

/**
 * The treatment of an error that nobody handles: `report` ends the evaluation; `debug` waits in the debugger; `hold` replies with
 * the error at once and waits in the debugger all the same, until the same context evaluates again.
 */
export const onError = z.enum(['report', 'debug', 'hold']);

/** True when effects of the code outside the image are asked for first: for agents, not for the person. */
export const guard = z.boolean();

/** True where it does not wait for an agent's evaluation whose code runs: that goes on beside it. */
export const overtakes = z.boolean().optional();

/** True when the process may have written to its standard output or error what the core has not read yet. */
export const outputUnread = z.boolean();

/** The debugger that an answered evaluation is held in. */
export const heldIn = z.string().nullable();

/** Fields of every such request but `evaluate`, which has its own. */
export const runRequest = z.object({
  evaluation: evaluationId,
  context: contextId,
  actor: z.string(),
  /** Characters of output sent as events before the rest is only counted. */
  outputLimit: z.int().positive(),
  onError,
  guard,
  overtakes,
});

/** The reply of a run: how it ended, and its result when it ended well. */
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
