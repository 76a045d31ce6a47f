/** The operations on code that waits in the debugger. */
import { z } from 'zod';
import { conditionRecord } from '#contract/image/condition.ts';
import { debuggerRecord, frameLocal } from '#contract/image/debugger.ts';
import { evaluationStatus, printedValue } from '#contract/image/evaluation.ts';
import { evaluationId, runReply, runRequest } from './run.ts';

const ofDebugger = z.object({ debugger: z.string() });
/** True if an agent requests the operation. Effects outside the image then require approval, regardless of whose evaluation waits there. */
const asWhom = { guard: z.boolean().optional() };
/** The package in which the form is read; the current one if omitted. */
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
 * Each requested name, and the name of the function or condition that it stands for, as the image prints it from CL-USER; null if it does
 * not exist.
 */
const named = z.array(z.object({ wanted: z.string(), name: z.string().nullable() }));
/** A higher `revision` is later, in replies and in events. */
export const breakpoints = z.object({ functions: named, conditions: named, revision: z.int() });

export const debuggerMessages = {
  debugger: { lane: 'deferred', request: ofDebugger, reply: debuggerRecord },
  /** Returns further outer frames, starting at number `from`. */
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
   * Invokes a restart. `arguments` are forms. Without arguments its interactive function asks for them. With `asks` the person answers in
   * the debugger, by `question-asked`; otherwise the answers come from the evaluation's input.
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
   * question waits for this answer.
   */
  'answer-question': {
    lane: 'deferred',
    request: ofDebugger.extend({ question: z.string(), text: z.string().nullable(), cancel: z.boolean() }),
    reply: z.object({ found: z.boolean() }),
  },
  /** Continues to the next form, to the next form after this call, or to the end of this function. */
  step: {
    lane: 'deferred',
    request: ofDebugger.extend({ kind: z.enum(['into', 'over', 'out']), ...asWhom }),
    reply: ranInDebugger,
  },
  /** Unwinds the code that waits in a debugger out of all levels: its evaluation, or the thread that its evaluation created. */
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
   * Sets or removes a breakpoint on a function, which may be defined later. It stops debugged code that calls the function when `when`, a
   * form over its parameters, is true.
   */
  'set-breakpoint': {
    lane: 'control',
    changes: true,
    request: z.object({ function: z.string(), set: z.boolean(), when: z.string().optional() }),
    reply: breakpoints,
  },
  /** Checks whether `when` is readable as the condition of a breakpoint on the function. `problem` says why not; null if it is readable. */
  'check-breakpoint-condition': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ function: z.string(), when: z.string() }),
    reply: z.object({ problem: z.string().nullable() }),
  },
  /** Stops debugged code that signals a condition of these types, handled or not. */
  'break-on-conditions': {
    lane: 'control',
    changes: true,
    request: z.object({ types: z.array(z.string()) }),
    reply: breakpoints,
  },
  /**
   * Sets exactly these breakpoints. Names that the image does not define wait for a definition of any kind. `when` contains the functions'
   * conditions, as in `set-breakpoint`.
   */
  'keep-breakpoints': {
    lane: 'control',
    changes: true,
    request: z.object({
      functions: z.array(z.string()),
      conditions: z.array(z.string()),
      when: z.record(z.string(), z.string()).optional(),
    }),
    reply: breakpoints,
  },
  /** Compiles a function again so that all its locals are visible and every form is a step, or restores its previous compilation. */
  'debug-function': {
    lane: 'worker',
    request: runRequest.extend({ function: z.string(), set: z.boolean() }),
    reply: runReply(z.object({ functions: z.array(z.string()) })),
  },
} as const;
