/** The operations on code of the image that waits in the debugger. */
import { z } from 'zod';
import { conditionRecord } from '#contract/image/condition.ts';
import { debuggerRecord, frameLocal } from '#contract/image/debugger.ts';
import { evaluationStatus, printedValue } from '#contract/image/evaluation.ts';
import { evaluationId, runReply, runRequest } from './run.ts';

const ofDebugger = z.object({ debugger: z.string() });
/** True when an agent asks for the operation: then its effects outside the image are asked for, whosever evaluation waits there. */
const asWhom = { guard: z.boolean().optional() };
/** The package in which the form is read; the current one when left out. */
const readIn = { package: z.string().optional() };
const ofFrame = ofDebugger.extend({ frame: z.int().nonnegative() });

/** Code that was run in the debugger: what came of it, unless the debugger was left by it. */
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

/** Each as it was wanted, and as the image prints the name of what it is on, from CL-USER; null where that is not there. */
const named = z.array(z.object({ wanted: z.string(), name: z.string().nullable() }));
/** `revision`: the higher, the later, whether it is told by a reply or by an event. */
export const breakpoints = z.object({ functions: named, conditions: named, revision: z.int() });

export const debuggerMessages = {
  debugger: { lane: 'deferred', request: ofDebugger, reply: debuggerRecord },
  /** Frames outside those that are known, from the number `from` on. */
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
  /** Evaluate a form with the frame's variables around it. An error in it opens a debugger one level deeper. */
  'eval-in-frame': {
    lane: 'deferred',
    request: ofFrame.extend({ code: z.string(), ...readIn, ...asWhom }),
    reply: ranInDebugger,
  },
  /** Let the frame return the values of a form that is evaluated in it. */
  'return-from-frame': {
    lane: 'deferred',
    request: ofFrame.extend({ code: z.string(), ...readIn, ...asWhom }),
    reply: ranInDebugger,
  },
  /** Call the frame's function again with the same arguments; a redefinition counts. */
  'restart-frame': { lane: 'deferred', request: ofFrame.extend(asWhom), reply: ranInDebugger },
  /**
   * Take a restart. `arguments` are forms. Without any its interactive function asks for them: with `asks` the person, in the debugger,
   * by `question-asked`; else whoever answers what the evaluation reads.
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
   * Answer a `question-asked` event: null is end of file. `cancel` calls off what asks, as by its restart ABORT. `found` is false when
   * nobody waits for this answer.
   */
  'answer-question': {
    lane: 'deferred',
    request: ofDebugger.extend({ question: z.string(), text: z.string().nullable(), cancel: z.boolean() }),
    reply: z.object({ found: z.boolean() }),
  },
  /** Go on to the next form, the next form after this call, or the end of this function. */
  step: {
    lane: 'deferred',
    request: ofDebugger.extend({ kind: z.enum(['into', 'over', 'out']), ...asWhom }),
    reply: ranInDebugger,
  },
  /** Unwind the code that waits in a debugger from all of its levels: its evaluation, or the thread that its evaluation made. */
  'quit-debugger': {
    lane: 'control',
    changes: false,
    request: ofDebugger,
    reply: z.object({ found: z.boolean() }),
  },
  /** Stop an evaluation where it is and look around; it can go on. */
  'break-in': {
    lane: 'control',
    changes: false,
    request: z.object({ evaluation: evaluationId }),
    reply: z.object({ found: z.boolean() }),
  },
  /**
   * Break when code that is debugged calls the function, now or once it is defined, and `when`, a form in its parameters, is true; or not
   * any more.
   */
  'set-breakpoint': {
    lane: 'control',
    changes: true,
    request: z.object({ function: z.string(), set: z.boolean(), when: z.string().optional() }),
    reply: breakpoints,
  },
  /** Find out whether `when` can be read as the condition of a breakpoint on the function: `problem` says why not, null that it can. */
  'check-breakpoint-condition': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ function: z.string(), when: z.string() }),
    reply: z.object({ problem: z.string().nullable() }),
  },
  /** Break when code that is debugged signals a condition of these types, handled or not. */
  'break-on-conditions': {
    lane: 'control',
    changes: true,
    request: z.object({ types: z.array(z.string()) }),
    reply: breakpoints,
  },
  /**
   * Have these breakpoints and no others. Names that the image does not define are waited for, whatever they may be. `when`: the
   * conditions of those functions that have one, as in `set-breakpoint`.
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
  /** Compile a function again so that all its locals can be seen and every form is a step; or go back to what it was. */
  'debug-function': {
    lane: 'worker',
    request: runRequest.extend({ function: z.string(), set: z.boolean() }),
    reply: runReply(z.object({ functions: z.array(z.string()) })),
  },
} as const;
