/** Evaluating a text form by form. */
import { z } from 'zod';
import { conditionRecord, warningRecord } from '#contract/image/condition.ts';
import { effectsOfRun } from '#contract/decisions/past-effect.ts';
import { evaluationStatus, outputTail, printedValue, sourcePlace, timing } from '#contract/image/evaluation.ts';
import { contextId, evaluationId, guard, heldIn, onError, outputUnread, overtakes } from './run.ts';

/** A top-level form that was evaluated without error. `defines` is the operator when the form defines or declares something. */
export const evaluatedForm = z.object({
  start: z.int(),
  end: z.int(),
  /** Upper-case operator name such as DEFUN, or null when the form defines nothing that a replay needs. */
  defines: z.string().nullable(),
  /** The name that the form defines, printed, e.g. SQUARE or (SETF AREA). */
  name: z.string().nullable(),
  /** The package in which the form was read. */
  package: z.string(),
});

const evaluationReply = z.object({
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
  outputTails: z.array(outputTail),
  outputUnread,
  debugger: heldIn,
  /**
   * True when the code is idempotent as far as can be told: evaluated again in the image as it was before, it does the same and
   * nothing outside.
   */
  redoable: z.boolean(),
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
      /** Binds *package* for this call only (decision 3). */
      package: z.string().nullable(),
      /** Asks the person for input; otherwise reads see end of file. */
      interactive: z.boolean(),
      /** Values are printed as the context's printer is set, as SBCL's own REPL does; what is too long for that, as usual. */
      printsAsSet: z.boolean().optional(),
      source: sourcePlace.nullable(),
      /** Characters of output sent as events before the rest is only counted. */
      outputLimit: z.int().positive(),
      /** Characters of each printed value. */
      valueLimit: z.int().positive(),
      /** Gives each value a handle, held for the evaluation's id until `release`. */
      keepValues: z.boolean(),
      /** The context's package stays what it was, whatever the code makes of *package*. */
      packageStays: z.boolean().optional(),
      onError,
      guard,
      overtakes,
    }),
    reply: evaluationReply,
  },
} as const;
