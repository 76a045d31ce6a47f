/** One stay of the image's code in the debugger, as the window and agents see it. */
import { z } from 'zod';
import { printedValue } from './evaluation.ts';

const restartRecord = z.object({
  index: z.int(),
  name: z.string().nullable(),
  /** The report of the restart, in the words of the code that established it. */
  report: z.string(),
  /** The parameters of the restart, printed; empty for one that only needs to be chosen. */
  parameters: z.array(z.string()),
  /** True when the restart has an interactive function, which asks for its arguments. */
  asks: z.boolean(),
});

/** A line that code which runs in a debugger reads from the person. */
export const debuggerQuestion = z.object({
  id: z.string(),
  /** The restart whose interactive function asks; null for other code. */
  restart: z.int().nullable(),
  /** The client whose function asks where an evaluation of the person called it and the person has not reviewed it; else null. */
  author: z.string().nullable(),
  /** The last of what was written since the question before. */
  text: z.string(),
  /** Characters that were written before `text` since then. */
  leftOut: z.int().nonnegative(),
  /** `form`: the Lisp reader asks, and asks again until a form is complete. */
  reads: z.enum(['form', 'line']),
});

/** The place of a frame's code. Offsets count UTF-16 code units. */
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
  /** The index of the top-level form in the file. */
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
      /** The line of the file on which the running form begins; null for code that was in no file. */
      line: z.int().nullable(),
    })
    .nullable(),
});

/** A line of a file, from 1, by the file's absolute path. */
export const sourceLine = z.object({ file: z.string(), line: z.int().positive() });

const debuggerFrame = z.object({
  index: z.int(),
  /** The name of the frame's global function as it is read in CL-USER; null for code of another kind, and for Lisp's own. */
  function: z.string().nullable(),
  /** The package that the frame's code is written in; null for Lisp's own. */
  package: z.string().nullable(),
  call: z.string(),
  /** The arguments that `call` shows, by their places in it; offsets count UTF-16 code units. */
  arguments: z.array(z.object({ start: z.int(), end: z.int(), type: z.string(), handle: z.int() })),
  /** SBCL's own or the engine's: shown only on request. */
  internal: z.boolean(),
  /** True when the frame can be returned from and called again. */
  restartable: z.boolean(),
  source: frameSource.nullable(),
});

export const frameLocal = z.object({
  index: z.int(),
  name: z.string(),
  /** Tells variables of the same name apart. */
  id: z.int(),
  /** The variable's value; null while it has none at this place, or its code keeps none. */
  value: printedValue.nullable(),
  /** The reason why there is no value: it is not bound here, or code that was not compiled for debugging dropped it. */
  absence: z.enum(['unbound', 'dropped']).nullable(),
});

export const debuggerRecord = z.object({
  id: z.string(),
  evaluation: z.string(),
  actor: z.string(),
  /** The evaluation was answered already with its error; it waits all the same. */
  held: z.boolean(),
  thread: z.string(),
  /** `interrupt`: the person stopped the code where it was. */
  kind: z.enum(['error', 'break', 'interrupt', 'step']),
  /** 1, and one more for each error in code that was run in a debugger. */
  level: z.int().positive(),
  type: z.string(),
  message: z.string(),
  /** The current package of the code: what is evaluated in its frames is read there. */
  package: z.string(),
  /** The form that is about to be evaluated, with its arguments as far as they are known; null unless stepping. */
  step: z.object({ form: z.string(), arguments: z.array(printedValue) }).nullable(),
  /** True where steps into and over forms can stop again, and where a step out can; false at errors. */
  steps: z.object({ within: z.boolean(), out: z.boolean() }),
  /** The handle of the condition. */
  handle: z.int(),
  restarts: z.array(restartRecord),
  /** Innermost first. */
  frames: z.array(debuggerFrame),
  moreFrames: z.boolean(),
});

export type DebuggerFrame = z.infer<typeof debuggerFrame>;
export type DebuggerQuestion = z.infer<typeof debuggerQuestion>;
export type FrameLocal = z.infer<typeof frameLocal>;
export type FrameSource = z.infer<typeof frameSource>;
export type SourceLine = z.infer<typeof sourceLine>;
export type DebuggerRecord = z.infer<typeof debuggerRecord>;
