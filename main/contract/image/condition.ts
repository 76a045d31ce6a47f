/** Conditions as the image reports them: type, message and the relevant frames. */
import { z } from 'zod';

/** A line of a backtrace. `index` is the number of the frame among the listed ones; `call` has the form `(FUNCTION-NAME ARG1 …)`. */
const frameRecord = z.object({
  index: z.int(),
  call: z.string(),
  /** The number of frames omitted after this one. They are outer frames of the same function. */
  alike: z.int().positive().optional(),
});

export const conditionRecord = z.object({
  /**
   * The name of the condition's class as prin1 prints it in CL-USER. The package is the public one if the class is exported from one
   * (decision 7).
   */
  type: z.string(),
  message: z.string(),
  frames: z.array(frameRecord),
  /**
   * The phase of the failure. `reader`: the text could not be read; `evaluation`: the code signaled the condition; `limit`: a limit stopped
   * the evaluation.
   */
  phase: z.enum(['reader', 'evaluation', 'limit']),
  /** The character offset at which the reader stopped, or the start of the failing top-level form. */
  offset: z.int().nullable(),
});

export const warningRecord = z.object({
  type: z.string(),
  message: z.string(),
  /** The start of the form or name that the warning is about, in UTF-16 code units of the code; null if unknown. */
  start: z.int().nonnegative().nullable(),
  end: z.int().nonnegative().nullable(),
});

export type ConditionRecord = z.infer<typeof conditionRecord>;
