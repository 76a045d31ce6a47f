/** One stay of the image's code in the debugger, as the window and agents see it. */
import { z } from 'zod';
import { printedValue } from './evaluation.ts';

export const restartRecord = z.object({
  index: z.int(),
  name: z.string().nullable(),
  /** What it does, in the words of whoever established it. */
  report: z.string(),
  /** What it takes, printed; empty for one that only needs to be chosen. */
  parameters: z.array(z.string()),
});

/** Where a frame's code stands. Offsets count UTF-16 code units. */
export const frameSource = z.object({
  file: z.string().nullable(),
  offset: z.int().nullable(),
  line: z.int().nullable(),
  /** The evaluation whose form was compiled; null for code from a file. */
  evaluation: z.string().nullable(),
  /** The subform that is running, printed; null when only its top-level form is known. */
  form: z.string().nullable(),
  /** Indexes of the lists from that top-level form down to it. */
  path: z.array(z.int()),
  /** Which top-level form of the file. */
  toplevelForm: z.int().nullable(),
  /**
   * The text of the top-level form, where it begins in the file (0 for what was evaluated), and the running form in that
   * text; null where the text is not known as it was compiled.
   */
  running: z
    .object({
      text: z.string(),
      offset: z.int(),
      start: z.int(),
      end: z.int(),
      /** Of the file, on which the running form begins; null for what was in no file. */
      line: z.int().nullable(),
    })
    .nullable(),
});

/** A line of a file, from 1, by the file's absolute path. */
export const sourceLine = z.object({ file: z.string(), line: z.int().positive() });

export const debuggerFrame = z.object({
  index: z.int(),
  call: z.string(),
  /** SBCL's own or the engine's: shown only on request. */
  internal: z.boolean(),
  /** Whether it can be returned from and called again. */
  restartable: z.boolean(),
  source: frameSource.nullable(),
});

export const frameLocal = z.object({
  index: z.int(),
  name: z.string(),
  /** Tells variables of the same name apart. */
  id: z.int(),
  /** Null while the variable has no value at this place, or its code keeps none. */
  value: printedValue.nullable(),
});

export const debuggerRecord = z.object({
  id: z.string(),
  evaluation: z.string(),
  actor: z.string(),
  /** The evaluation was answered already with its error; it waits all the same. */
  held: z.boolean(),
  thread: z.string(),
  kind: z.enum(['error', 'break', 'step']),
  /** 1, and one more for each error in code that was run in a debugger. */
  level: z.int().positive(),
  type: z.string(),
  message: z.string(),
  /** The form that is about to be evaluated, with its arguments as far as they are known; null unless stepping. */
  step: z.object({ form: z.string(), arguments: z.array(z.string()) }).nullable(),
  /** Of the condition. */
  handle: z.int(),
  restarts: z.array(restartRecord),
  /** Innermost first. */
  frames: z.array(debuggerFrame),
  moreFrames: z.boolean(),
});

export type FrameSource = z.infer<typeof frameSource>;
export type SourceLine = z.infer<typeof sourceLine>;
export type DebuggerRecord = z.infer<typeof debuggerRecord>;
