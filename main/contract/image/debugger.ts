/** One stay of the image's code in the debugger, as the window and agents see it. */
import { z } from 'zod';
import { evaluationStatus, printedValue } from './evaluation.ts';
import { conditionRecord } from './condition.ts';
import { actor } from './session.ts';

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
export type DebuggerRecord = z.infer<typeof debuggerRecord>;

const nothing = z.object({});

/** A restart that a client proposes and that waits for the person's word in Review: nothing here can give it. */
const restartProposal = z.object({
  /** The id of the request's card. */
  approval: z.string(),
  actor,
  restart: z.int(),
  /** Forms for what the restart takes. */
  forms: z.array(z.string()),
  /** The client's own words about why; null when it gave none. */
  claim: z.string().nullable(),
});

/** The head of a debugger: what a list shows of it. Its record has the rest, and is asked for when it is looked at. */
const debuggerHead = debuggerRecord
  .pick({ id: true, evaluation: true, held: true, thread: true, kind: true, level: true, type: true, steps: true })
  .extend({
    /** The report of the condition; its first characters. */
    message: z.string(),
    /** The actor whose evaluation waits. */
    actor,
    /** The beginning of the evaluation's code; empty where it is not known any more. */
    summary: z.string(),
    /** Milliseconds since the epoch. */
    since: z.number(),
    proposals: z.array(restartProposal),
    /** The line that code which runs in it waits for from the person; null for none. */
    question: debuggerQuestion.nullable(),
  });

/** The debuggers of the image, the latest last; `gone` says why there is none any more when their image ended, else null. */
export const openDebuggers = z.object({ debuggers: z.array(debuggerHead), gone: z.string().nullable() });

/** The name of a function or of a condition type, as it is read in CL-USER. */
const lispName = z.string().trim().min(1).max(300);

/** The condition of a breakpoint: a Lisp form in the parameters of its function. */
const stopCondition = z.string().trim().min(1).max(10_000);

/**
 * A breakpoint: the name by which the person wanted it, and as the shared image prints it; the same where that does not know it. `there`
 * is false while the image does not define what it names. `when`: the form that is true where a function stops; absent, it always does.
 */
const breakpoint = z.object({
  wanted: z.string(),
  name: z.string(),
  there: z.boolean(),
  when: z.string().optional(),
});

/** The breakpoints of the folder that is open: on functions, and on condition types. */
export const breakpoints = z.object({ functions: z.array(breakpoint), conditions: z.array(breakpoint) });

/**
 * The breakpoints of all folders as they are kept, by the names that the person wanted; null is no folder. `when`: the conditions of
 * those functions that have one.
 */
export const keptBreakpoints = z.object({
  version: z.literal(1),
  folders: z.array(
    z.object({
      folder: z.string().nullable(),
      functions: z.array(lispName),
      conditions: z.array(lispName),
      when: z.record(z.string(), stopCondition).optional(),
    }),
  ),
});

const ofDebugger = z.object({ debugger: z.string().min(1).max(40) });
const ofFrame = ofDebugger.extend({ frame: z.int().nonnegative().max(100_000) });
/** The form, and the package in which it is read. */
const inFrame = ofFrame.extend({ code: z.string().min(1).max(100_000), package: z.string().min(1).max(300) });
const code = z.string().min(1).max(100_000);
/** The outcome of code that ran in a debugger. `left`: it left the debugger, and `result` is null. */
const ranInDebugger = z.object({
  left: z.boolean(),
  result: z
    .object({
      status: evaluationStatus,
      values: z.array(printedValue),
      condition: conditionRecord.nullable(),
    })
    .nullable(),
  /** Words about what left the debugger, such as why a step could not go into a function; null for none. */
  note: z.string().nullable(),
});

export const debuggerCalls = {
  'debugger.record': { input: ofDebugger, output: debuggerRecord },
  /** Frames outside those that are known, from the number `from` on. */
  'debugger.furtherFrames': {
    input: ofDebugger.extend({ from: z.int().nonnegative() }),
    output: debuggerRecord.pick({ frames: true, moreFrames: true }),
  },
  'debugger.locals': { input: ofFrame, output: z.object({ locals: z.array(frameLocal) }) },
  'debugger.disassemble': {
    input: ofFrame,
    output: z.object({ text: z.string(), cut: z.int().nonnegative() }),
  },
  /** Evaluates a form among the variables of a frame. Resolves when it has ended, also by way of a debugger of its own. */
  'debugger.evaluate': { input: inFrame, output: ranInDebugger },
  'debugger.returnFromFrame': { input: inFrame, output: ranInDebugger },
  'debugger.restartFrame': { input: ofFrame, output: ranInDebugger },
  /** Takes a restart; `arguments` are forms. Without any its interactive function is called, which asks for them by questions. */
  'debugger.invokeRestart': {
    input: ofDebugger.extend({ restart: z.int().nonnegative().max(1_000_000), arguments: z.array(code).max(20) }),
    output: ranInDebugger,
  },
  /** Answers the question of a debugger: null is end of file. `cancel` calls off what asks. False when nobody waits for it any more. */
  'debugger.answer': {
    input: ofDebugger.extend({
      question: z.string().min(1).max(40),
      text: z.string().max(100_000).nullable(),
      cancel: z.boolean(),
    }),
    output: z.object({ found: z.boolean() }),
  },
  'debugger.step': { input: ofDebugger.extend({ kind: z.enum(['into', 'over', 'out']) }), output: ranInDebugger },
  /** Unwinds the code of a debugger from all its levels: its evaluation, or the thread that its evaluation made. */
  'debugger.quit': { input: ofDebugger, output: nothing },
  /** Interrupts what runs in a debugger, and leaves the debugger open. */
  'debugger.interrupt': { input: ofDebugger, output: nothing },
  /**
   * Compiles a function for debugging, or goes back, in the image of a debugger; gives the names of all that are compiled so in the
   * shared image, which null means.
   */
  'debugger.compileForDebugging': {
    input: z.object({ function: lispName, set: z.boolean(), debugger: z.string().min(1).max(40).nullable() }),
    output: z.object({ functions: z.array(z.string()) }),
  },
  /**
   * Has an evaluation enter the debugger where it is. `found` is false when it had ended. `debugger` is null while its code cannot be
   * interrupted: then it enters the debugger as soon as it can be.
   */
  'debugger.breakIn': {
    input: z.object({ evaluation: z.string().min(1).max(64) }),
    output: z.object({ found: z.boolean(), debugger: z.string().nullable() }),
  },
  'breakpoints.set': { input: z.object({ function: lispName, set: z.boolean() }), output: breakpoints },
  /** Lets the breakpoint of a function, a new one where it has none, stop where the form is true; null: always. */
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
export type Breakpoint = z.infer<typeof breakpoint>;
export type Breakpoints = z.infer<typeof breakpoints>;
export type RanInDebugger = z.infer<typeof ranInDebugger>;
