/** Debuggers: code of the image that is stopped at an error, break or step, as the window and agents see it. */
import { z } from 'zod';
import { evaluationStatus, printedValue } from './evaluation.ts';
import { conditionRecord } from './condition.ts';
import { actor } from './session.ts';

const restartRecord = z.object({
  index: z.int(),
  name: z.string().nullable(),
  /** The restart's report, provided by the code that established the restart. */
  report: z.string(),
  /** The restart's printed parameters; empty for a restart without parameters. */
  parameters: z.array(z.string()),
  /** True if the restart has an interactive function, which prompts for its arguments. */
  asks: z.boolean(),
});

/** A line of input that code in a debugger requests from the person. */
export const debuggerQuestion = z.object({
  id: z.string(),
  /** The restart whose interactive function asks; null if other code asks. */
  restart: z.int().nullable(),
  /**
   * The client that wrote the asking function, if an evaluation of the person called the function and the person has not reviewed it.
   * Otherwise null.
   */
  author: z.string().nullable(),
  /** The end of the output since the previous question. */
  text: z.string(),
  /** The number of characters omitted before `text`. */
  leftOut: z.int().nonnegative(),
  /** `form`: the Lisp reader asks, and repeats the question until a form is complete. */
  reads: z.enum(['form', 'line']),
});

/** The source location of a frame's code. Offsets count UTF-16 code units. */
export const frameSource = z.object({
  file: z.string().nullable(),
  offset: z.int().nullable(),
  line: z.int().nullable(),
  /** The evaluation that compiled the form; null for code from a file. */
  evaluation: z.string().nullable(),
  /** The running subform, printed; null if only its top-level form is known. */
  form: z.string().nullable(),
  /** The path from the top-level form down to the running subform, as list indexes. */
  path: z.array(z.int()),
  /** The index of the top-level form in the file. */
  toplevelForm: z.int().nullable(),
  /**
   * How the file has changed since the code was compiled; null if it has not. `file`: the definition is unchanged, and `running` is its place
   * in the current text. `definition`: the definition has changed or its compiled text is unknown, and `running` is the current definition.
   * `compiled`: `running` contains the compiled text, because the file no longer has the definition, or because the code was compiled for
   * debugging from the earlier text.
   */
  changed: z.enum(['file', 'definition', 'compiled']).nullable(),
  /**
   * The text of the top-level form, its offset in the file (0 for evaluated code), and the running form within that text; null if the
   * compiled text is unknown.
   */
  running: z
    .object({
      text: z.string(),
      offset: z.int(),
      start: z.int(),
      end: z.int(),
      /** The line of the file where the running form begins; null for code that is not from a file. */
      line: z.int().nullable(),
    })
    .nullable(),
});

const debuggerFrame = z.object({
  index: z.int(),
  /**
   * The name of the global function to which this frame belongs, as read in CL-USER; null for other kinds of code and for code of Lisp
   * itself.
   */
  function: z.string().nullable(),
  /** The package of the frame's code; null for code of Lisp itself. */
  package: z.string().nullable(),
  call: z.string(),
  /** The arguments that appear in `call`, each with its start and end in that text, in UTF-16 code units. */
  arguments: z.array(z.object({ start: z.int(), end: z.int(), type: z.string(), handle: z.int() })),
  /** True for a frame of SBCL or the engine, which is shown only on request. */
  internal: z.boolean(),
  /** True if the frame can be restarted, or can return a value that the person enters. */
  restartable: z.boolean(),
  source: frameSource.nullable(),
});

export const frameLocal = z.object({
  index: z.int(),
  name: z.string(),
  /** Distinguishes variables with the same name. */
  id: z.int(),
  /** The variable's value; null if the variable has no value at this point or the compiled code did not retain it. */
  value: printedValue.nullable(),
  /**
   * The reason why there is no value. `unbound`: the variable is not bound at this point; `dropped`: the code, compiled without debug
   * information, did not retain the value.
   */
  absence: z.enum(['unbound', 'dropped']).nullable(),
});

export const debuggerRecord = z.object({
  id: z.string(),
  evaluation: z.string(),
  actor: z.string(),
  /** True if the client has already received the error as its answer, although the code is still waiting in the debugger. */
  held: z.boolean(),
  thread: z.string(),
  /** The kind of stop. `interrupt`: the person stopped the running code. */
  kind: z.enum(['error', 'break', 'interrupt', 'step']),
  /** The level: 1, plus one for each error in code that was run in a debugger. */
  level: z.int().positive(),
  type: z.string(),
  message: z.string(),
  /** The current package of the code; forms for its frames are read in it. */
  package: z.string(),
  /** The form that is evaluated next, with its known arguments; null unless stepping. */
  step: z.object({ form: z.string(), arguments: z.array(printedValue) }).nullable(),
  /**
   * The available kinds of step: `within` for stepping into and over forms, `out` for stepping out. Both are false if the code is stopped
   * at an error.
   */
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
export type DebuggerRecord = z.infer<typeof debuggerRecord>;

const nothing = z.object({});

/** A restart that a client proposes. The proposal waits in Review for the person's decision, and cannot be approved here. */
const restartProposal = z.object({
  /** The id of the proposal's approval request. */
  approval: z.string(),
  actor,
  restart: z.int(),
  /** Forms that compute the restart's arguments. */
  forms: z.array(z.string()),
  /** The client's own explanation; null if it gave none. */
  claim: z.string().nullable(),
});

/** The summary of a debugger for lists. The full record is requested when the person opens it. */
const debuggerHead = debuggerRecord
  .pick({ id: true, evaluation: true, held: true, thread: true, kind: true, level: true, type: true, steps: true })
  .extend({
    /** The beginning of the condition's report. */
    message: z.string(),
    /** The actor whose evaluation is stopped. */
    actor,
    /** The beginning of the evaluation's code; empty if it is no longer known. */
    summary: z.string(),
    /** Milliseconds since the epoch. */
    since: z.number(),
    proposals: z.array(restartProposal),
    /** The line of input that code in the debugger requests from the person; null if there is none. */
    question: debuggerQuestion.nullable(),
  });

/** The debuggers of the image, latest last. If they were lost because their image ended, `gone` gives the reason; otherwise it is null. */
export const openDebuggers = z.object({ debuggers: z.array(debuggerHead), gone: z.string().nullable() });

/** The name of a function or condition type, as read in CL-USER. */
const lispName = z.string().trim().min(1).max(300);

/** The condition of a breakpoint: a Lisp form that can use the parameters of the function. */
const stopCondition = z.string().trim().min(1).max(10_000);

/**
 * A line of a definition on which a breakpoint stops: its number, counted from the first line of the definition, which is 0 and means the
 * call; and its text without indentation, by which the line is found after the definition was edited.
 */
export const breakpointLine = z.object({ line: z.int().nonnegative().max(100_000), text: z.string().max(1000) });

/**
 * A breakpoint: the name that the person entered, and the name as the shared image prints it. The two are equal if the image does not know
 * the name. `there` is false while the image has no such definition. If `when` is given, the function stops only if this form is true;
 * otherwise it always stops. If `lines` is given, the function stops on these lines; otherwise it stops when it is called.
 */
const breakpoint = z.object({
  wanted: z.string(),
  name: z.string(),
  there: z.boolean(),
  when: z.string().optional(),
  lines: z.array(breakpointLine).optional(),
});

/** The breakpoints of the open folder, on functions and on condition types. */
export const breakpoints = z.object({ functions: z.array(breakpoint), conditions: z.array(breakpoint) });

/**
 * The stored breakpoints of all folders, by the names that the person entered; a null folder means that no folder was open. `when` maps the
 * functions that have a condition to it, and `lines` those that have lines.
 */
export const keptBreakpoints = z.object({
  version: z.literal(1),
  folders: z.array(
    z.object({
      folder: z.string().nullable(),
      functions: z.array(lispName),
      conditions: z.array(lispName),
      when: z.record(z.string(), stopCondition).optional(),
      lines: z.record(z.string(), z.array(breakpointLine)).optional(),
    }),
  ),
});

const ofDebugger = z.object({ debugger: z.string().min(1).max(40) });
const ofFrame = ofDebugger.extend({ frame: z.int().nonnegative().max(100_000) });
/** The form and the package in which it is read. */
const inFrame = ofFrame.extend({ code: z.string().min(1).max(100_000), package: z.string().min(1).max(300) });
const code = z.string().min(1).max(100_000);
/** The result of code that ran in a debugger. `left`: true if the code left the debugger; `result` is then null. */
const ranInDebugger = z.object({
  left: z.boolean(),
  result: z
    .object({
      status: evaluationStatus,
      values: z.array(printedValue),
      condition: conditionRecord.nullable(),
    })
    .nullable(),
  /** A message that explains why the debugger was left, for example because a step could not enter a function; null if there is none. */
  note: z.string().nullable(),
});

export const debuggerCalls = {
  'debugger.record': { input: ofDebugger, output: debuggerRecord },
  /** Returns the frames that follow the known ones, beginning with number `from`. */
  'debugger.furtherFrames': {
    input: ofDebugger.extend({ from: z.int().nonnegative() }),
    output: debuggerRecord.pick({ frames: true, moreFrames: true }),
  },
  'debugger.locals': { input: ofFrame, output: z.object({ locals: z.array(frameLocal) }) },
  'debugger.disassemble': {
    input: ofFrame,
    output: z.object({ text: z.string(), cut: z.int().nonnegative() }),
  },
  /**
   * Evaluates a form in a frame, with access to the frame's variables. Resolves when the evaluation has ended, even if an error in the
   * evaluation opens another debugger.
   */
  'debugger.evaluate': { input: inFrame, output: ranInDebugger },
  'debugger.returnFromFrame': { input: inFrame, output: ranInDebugger },
  'debugger.restartFrame': { input: ofFrame, output: ranInDebugger },
  /**
   * Invokes a restart; `arguments` are forms. Without arguments, the restart's interactive function runs, and prompts the person through
   * `question`.
   */
  'debugger.invokeRestart': {
    input: ofDebugger.extend({ restart: z.int().nonnegative().max(1_000_000), arguments: z.array(code).max(20) }),
    output: ranInDebugger,
  },
  /**
   * Answers the question of a debugger; a null `text` means end of file. `cancel` aborts the code that asked. `found` is false if the
   * question is no longer waiting.
   */
  'debugger.answer': {
    input: ofDebugger.extend({
      question: z.string().min(1).max(40),
      text: z.string().max(100_000).nullable(),
      cancel: z.boolean(),
    }),
    output: z.object({ found: z.boolean() }),
  },
  'debugger.step': { input: ofDebugger.extend({ kind: z.enum(['into', 'over', 'out']) }), output: ranInDebugger },
  /** Unwinds all levels of a debugger: ends its evaluation, or the thread that its evaluation created. */
  'debugger.quit': { input: ofDebugger, output: nothing },
  /** Interrupts the code that runs in a debugger. The debugger remains open. */
  'debugger.interrupt': { input: ofDebugger, output: nothing },
  /**
   * Compiles a function for debugging, or restores it, in the image of a debugger; a null debugger means the shared image. Returns the
   * names of all functions that are compiled for debugging in that image. `note` says if the file has changed since the function was loaded,
   * and a newer definition was compiled; otherwise it is null.
   */
  'debugger.compileForDebugging': {
    input: z.object({ function: lispName, set: z.boolean(), debugger: z.string().min(1).max(40).nullable() }),
    output: z.object({ functions: z.array(z.string()), note: z.string().nullable() }),
  },
  /**
   * Stops an evaluation in the debugger at its current point. `found` is false if the evaluation had already ended. `debugger` is null if
   * the code cannot be interrupted now; it then enters the debugger as soon as possible.
   */
  'debugger.breakIn': {
    input: z.object({ evaluation: z.string().min(1).max(64) }),
    output: z.object({ found: z.boolean(), debugger: z.string().nullable() }),
  },
  'breakpoints.set': { input: z.object({ function: lispName, set: z.boolean() }), output: breakpoints },
  /**
   * Sets or clears a breakpoint on a line of a function's definition. `problem` is a sentence that explains why calls cannot stop on that
   * line; the breakpoint is then set on the call instead. Otherwise it is null.
   */
  'breakpoints.setLine': {
    input: z.object({ function: lispName, line: breakpointLine, set: z.boolean() }),
    output: breakpoints.extend({ problem: z.string().nullable() }),
  },
  /**
   * Sets the condition of a function's breakpoint, and creates the breakpoint if there is none. The function then stops only if the form
   * `when` is true; if `when` is null, it always stops.
   */
  'breakpoints.stopWhen': {
    input: z.object({ function: lispName, when: stopCondition.nullable() }),
    output: breakpoints,
  },
  'breakpoints.onConditions': { input: z.object({ types: z.array(lispName).max(50) }), output: breakpoints },
} as const;

export const debuggerEvents = {
  'debuggers-changed': openDebuggers,
  'breakpoints-changed': breakpoints,
} as const;

export type DebuggerHead = z.infer<typeof debuggerHead>;
export type RestartProposal = z.infer<typeof restartProposal>;
export type OpenDebuggers = z.infer<typeof openDebuggers>;
export type BreakpointLine = z.infer<typeof breakpointLine>;
export type Breakpoint = z.infer<typeof breakpoint>;
export type Breakpoints = z.infer<typeof breakpoints>;
export type RanInDebugger = z.infer<typeof ranInDebugger>;
