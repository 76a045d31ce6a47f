/** Conditions as the image reports them: type, message and the frames that matter to the reader. */
import { z } from 'zod';

/** One line of a backtrace: `index` counts the frames that are shown, `call` is `(FUNCTION-NAME ARG1 …)`. */
const frameRecord = z.object({
  index: z.int(),
  call: z.string(),
  /** Frames of the same function, further out, that are left out after this one. */
  alike: z.int().positive().optional(),
});

export const conditionRecord = z.object({
  /** Class name as prin1 prints it from CL-USER, with the public package where one exists (decision 7). */
  type: z.string(),
  message: z.string(),
  frames: z.array(frameRecord),
  /** `reader`: the text could not be read; `evaluation`: it ran into the condition; `limit`: a limit stopped it. */
  phase: z.enum(['reader', 'evaluation', 'limit']),
  /** Character offset in the code at which the reader stopped, or the start of the failing top-level form. */
  offset: z.int().nullable(),
});

export const warningRecord = z.object({
  type: z.string(),
  message: z.string(),
  /** The form or name that the warning is about, in UTF-16 code units of the code; null where that is not known. */
  start: z.int().nonnegative().nullable(),
  end: z.int().nonnegative().nullable(),
});

export type ConditionRecord = z.infer<typeof conditionRecord>;
