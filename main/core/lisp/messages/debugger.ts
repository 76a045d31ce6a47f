/** The operations on code that is waiting in the debugger. */
import { z } from 'zod';
import { conditionRecord } from '#contract/image/condition.ts';
import { breakpointLine, debuggerRecord, frameLocal } from '#contract/image/debugger.ts';
import { evaluationStatus, printedValue } from '#contract/image/evaluation.ts';
import { evaluationId, runReply, runRequest } from './run.ts';

const ofDebugger = z.object({ debugger: z.string() });
/**
 * `guard` is true if an agent requests the operation. Effects outside the image then require approval, even in another actor's evaluation.
 */
const asWhom = { guard: z.boolean().optional() };
/** The package in which the form is read; the current package if omitted. */
const readIn = { package: z.string().optional() };
const ofFrame = ofDebugger.extend({ frame: z.int().nonnegative() });

/** The result of code that ran in the debugger; null if the code left the debugger. */
const ranInDebugger = z.object({
  left: z.boolean(),
  result: z
    .object({
      status: evaluationStatus,
      values: z.array(printedValue),
      condition: conditionRecord.nullable(),
    })
    .nullable(),
  /** A remark about leaving the debugger, such as why a step could not enter a function; null if there is none. */
  note: z.string().nullable(),
});

/**
 * For each requested name, the name of the function or condition as the image prints it in CL-USER; null if the image has no such
 * definition.
 */
const named = z.array(z.object({ wanted: z.string(), name: z.string().nullable() }));
/** In replies and in events, a higher `revision` is later. */
export const breakpoints = z.object({ functions: named, conditions: named, revision: z.int() });

export const debuggerMessages = {
  debugger: { lane: 'deferred', request: ofDebugger, reply: debuggerRecord },
  /** Returns more outer frames, starting at number `from`. */
  'further-frames': {
    lane: 'deferred',
    request: ofDebugger.extend({ from: z.int().nonnegative() }),
    reply: debuggerRecord.pick({ frames: true, moreFrames: true }),
  },
  'frame-locals': { lane: 'deferred', request: ofFrame, reply: z.object({ locals: z.array(frameLocal) }) },
  'disassemble-frame': {
    lane: 'deferred',
    request: ofFrame,
    reply: z.object({ text: z.string(), cut: z.int().nonnegative() }),
  },
  /** Evaluates a form with access to the frame's variables. An error in it opens a debugger one level deeper. */
  'eval-in-frame': {
    lane: 'deferred',
    request: ofFrame.extend({ code: z.string(), ...readIn, ...asWhom }),
    reply: ranInDebugger,
  },
  /** Makes the frame return the values of a form that is evaluated in it. */
  'return-from-frame': {
    lane: 'deferred',
    request: ofFrame.extend({ code: z.string(), ...readIn, ...asWhom }),
    reply: ranInDebugger,
  },
  /** Calls the frame's function again with the same arguments. Uses the current definition. */
  'restart-frame': { lane: 'deferred', request: ofFrame.extend(asWhom), reply: ranInDebugger },
  /**
   * Invokes a restart. `arguments` contains forms. Without arguments, the restart's interactive function asks for them. With `asks`, the
   * person answers in the debugger, after a `question-asked` event; otherwise the answers come from the evaluation's input.
   */
  'invoke-restart': {
    lane: 'deferred',
    request: ofDebugger.extend({
      restart: z.int().nonnegative(),
      arguments: z.array(z.string()),
      asks: z.boolean().optional(),
      ...asWhom,
    }),
    reply: ranInDebugger,
  },
  /**
   * Answers a `question-asked` event; null is end of file. `cancel` aborts the question, like its ABORT restart. `found` is false if no
   * question is waiting for this answer.
   */
  'answer-question': {
    lane: 'deferred',
    request: ofDebugger.extend({ question: z.string(), text: z.string().nullable(), cancel: z.boolean() }),
    reply: z.object({ found: z.boolean() }),
  },
  /** Runs the code up to the next form, to the next form after this call, or to the end of this function. */
  step: {
    lane: 'deferred',
    request: ofDebugger.extend({ kind: z.enum(['into', 'over', 'out']), ...asWhom }),
    reply: ranInDebugger,
  },
  /**
   * Unwinds the code that is waiting in a debugger, out of all levels. This ends its evaluation, or the thread that its evaluation created.
   */
  'quit-debugger': {
    lane: 'control',
    changes: false,
    request: ofDebugger,
    reply: z.object({ found: z.boolean() }),
  },
  /** Stops an evaluation at its current point so that it can be examined; it can continue afterwards. */
  'break-in': {
    lane: 'control',
    changes: false,
    request: z.object({ evaluation: evaluationId }),
    reply: z.object({ found: z.boolean() }),
  },
  /**
   * Sets or removes a breakpoint on a function, which may be defined later. Debugged code that calls the function stops if the form `when`,
   * which can use the function's parameters, is true. With `lines`, the call stops at the forms on these lines of the definition, and at its
   * entry only if one of them is line 0.
   */
  'set-breakpoint': {
    lane: 'control',
    changes: true,
    request: z.object({
      function: z.string(),
      set: z.boolean(),
      when: z.string().optional(),
      lines: z.array(breakpointLine).optional(),
    }),
    reply: breakpoints,
  },
  /**
   * Checks whether `when` can be read as the condition of a breakpoint on the function. If not, `problem` contains the reason; otherwise it
   * is null.
   */
  'check-breakpoint-condition': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ function: z.string(), when: z.string() }),
    reply: z.object({ problem: z.string().nullable() }),
  },
  /** Checks whether a call of the function can stop at a line of its definition. If not, `problem` is a sentence that explains why. */
  'check-breakpoint-line': {
    lane: 'looking-up',
    changes: false,
    request: breakpointLine.extend({ function: z.string() }),
    reply: z.object({ problem: z.string().nullable() }),
  },
  /** Stops debugged code that signals a condition of one of these types, whether or not a handler handles it. */
  'break-on-conditions': {
    lane: 'control',
    changes: true,
    request: z.object({ types: z.array(z.string()) }),
    reply: breakpoints,
  },
  /**
   * Replaces all breakpoints with the given ones. A name that the image does not define takes effect as soon as the image has a definition
   * of it, of any kind. `when` and `lines` contain the functions' conditions and lines, as in `set-breakpoint`.
   */
  'keep-breakpoints': {
    lane: 'control',
    changes: true,
    request: z.object({
      functions: z.array(z.string()),
      conditions: z.array(z.string()),
      when: z.record(z.string(), z.string()).optional(),
      lines: z.record(z.string(), z.array(breakpointLine)).optional(),
    }),
    reply: breakpoints,
  },
  /**
   * Recompiles a function so that all its local variables are visible and every form is a step. Can also restore the previous compilation.
   * `note` says if the definition that was compiled is newer than the loaded one; otherwise it is null.
   */
  'debug-function': {
    lane: 'worker',
    request: runRequest.extend({ function: z.string(), set: z.boolean() }),
    reply: runReply(z.object({ functions: z.array(z.string()), note: z.string().nullable() })),
  },
} as const;
