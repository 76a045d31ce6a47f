/** Evaluation of source text, form by form. */
import { z } from 'zod';
import { conditionRecord, warningRecord } from '#contract/image/condition.ts';
import { effectsOfRun } from '#contract/decisions/past-effect.ts';
import { evaluationStatus, outputTail, printedValue, sourcePlace, timing } from '#contract/image/evaluation.ts';
import { contextId, evaluationId, guard, heldIn, onError, outputUnread, overtakes } from './run.ts';

/** A top-level form that was evaluated without an error. `defines` is the operator if the form defines or declares something. */
export const evaluatedForm = z.object({
  start: z.int(),
  end: z.int(),
  /** The operator's name in upper case, such as DEFUN; null if the form defines nothing that must be evaluated again in a new image. */
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
  /** The name of the context's current package after the call. */
  package: z.string(),
  timing,
  /** The number of output characters beyond the limit, which were counted but not sent. */
  outputCut: z.int().nonnegative(),
  outputTails: z.array(outputTail),
  outputUnread,
  debugger: heldIn,
  /**
   * True if the code seems idempotent: if it is evaluated again in the same earlier state of the image, it has the same result and no
   * effects outside the image.
   */
  redoable: z.boolean(),
  ...effectsOfRun,
});

export const evaluationMessages = {
  /** Reads source text form by form in a context, and evaluates and reports each form. */
  evaluate: {
    lane: 'worker',
    request: z.object({
      evaluation: evaluationId,
      /**
       * The context: current package, * ** ***, + ++ +++, / // ///, last error and history. A new id creates a context, which starts in
       * CL-USER.
       */
      context: contextId,
      actor: z.string(),
      code: z.string(),
      /** Binds *package* for this call only (decision 3). */
      package: z.string().nullable(),
      /** True if reads ask the person for input; otherwise they return end of file. */
      interactive: z.boolean(),
      /**
       * True to print values with the context's printer settings, as SBCL's own REPL does. A value that is too long in this form is printed
       * in the usual way.
       */
      printsAsSet: z.boolean().optional(),
      source: sourcePlace.nullable(),
      /** The maximum number of output characters that are sent as events; all others are only counted. */
      outputLimit: z.int().positive(),
      /** The maximum number of characters of each printed value. */
      valueLimit: z.int().positive(),
      /** True to give each value a handle, which is valid for the evaluation's id until `release`. */
      keepValues: z.boolean(),
      /** True if the context's package must not change, even if the code sets *package*. */
      packageStays: z.boolean().optional(),
      onError,
      guard,
      overtakes,
    }),
    reply: evaluationReply,
  },
} as const;
