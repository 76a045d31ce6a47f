/** Evaluating a text form by form. */
import { z } from 'zod';
import { conditionRecord, warningRecord } from '#contract/condition.ts';
import { effectsOfRun } from '#contract/past-effect.ts';
import { evaluationStatus, printedValue, sourcePlace, timing } from '#contract/evaluation.ts';
import { contextId, evaluationId, guard, heldIn, onError } from './run.ts';

/** A top-level form that was evaluated without error. `defines` is the operator when the form defines or declares something. */
export const evaluatedForm = z.object({
  start: z.int(),
  end: z.int(),
  /** Upper-case operator name such as DEFUN, or null when the form defines nothing that a replay needs. */
  defines: z.string().nullable(),
  /** What it defines, printed, e.g. SQUARE or (SETF AREA). */
  name: z.string().nullable(),
  /** The package in which the form was read. */
  package: z.string(),
});

export const evaluationReply = z.object({
  status: evaluationStatus,
  values: z.array(printedValue),
  warnings: z.array(warningRecord),
  condition: conditionRecord.nullable(),
  forms: z.array(evaluatedForm),
  /** Name of the context's current package after the call. */
  package: z.string(),
  timing,
  /** Characters of output that went past the limit and were counted, not sent. */
  outputCut: z.int().nonnegative(),
  debugger: heldIn,
  ...effectsOfRun,
});

export const evaluationMessages = {
  /** Read, evaluate and report form by form in a context. */
  evaluate: {
    lane: 'worker',
    request: z.object({
      evaluation: evaluationId,
      /** Holds current package, * ** ***, + ++ +++, / // ///, last error and history; made on first use, starts in CL-USER. */
      context: contextId,
      actor: z.string(),
      code: z.string(),
      /** Binds *package* for this call only (REQUIREMENTS decision 3). */
      package: z.string().nullable(),
      /** Asks the person for input; otherwise reads see end of file. */
      interactive: z.boolean(),
      source: sourcePlace.nullable(),
      /** Characters of output sent as events before the rest is only counted. */
      outputLimit: z.int().positive(),
      /** Characters of each printed value. */
      valueLimit: z.int().positive(),
      /** Gives each value a handle, held for the evaluation's id until `release`. */
      keepValues: z.boolean(),
      onError,
      guard,
    }),
    reply: evaluationReply,
  },
} as const;
