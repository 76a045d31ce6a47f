/** What can be done while code of the image waits in the debugger. */
import { z } from 'zod';
import { conditionRecord } from '#contract/condition.ts';
import { debuggerRecord, frameLocal } from '#contract/debugger.ts';
import { evaluationStatus, printedValue } from '#contract/evaluation.ts';
import { evaluationId, runReply, runRequest } from './run.ts';

const ofDebugger = z.object({ debugger: z.string() });
/** Whether an agent asks for it: then what it does outside the image is asked for, whosever evaluation waits there. */
const asWhom = { guard: z.boolean().optional() };
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
});

const breakpoints = z.object({ functions: z.array(z.string()), conditions: z.array(z.string()) });

export const debuggerMessages = {
  /** Ids of the open debuggers, latest first. */
  debuggers: { lane: 'control', request: z.object({}), reply: z.object({ debuggers: z.array(z.string()) }) },
  debugger: { lane: 'deferred', request: ofDebugger, reply: debuggerRecord },
  'frame-locals': { lane: 'deferred', request: ofFrame, reply: z.object({ locals: z.array(frameLocal) }) },
  'disassemble-frame': {
    lane: 'deferred',
    request: ofFrame,
    reply: z.object({ text: z.string(), cut: z.int().nonnegative() }),
  },
  /** Evaluate a form with the frame's variables around it. An error in it opens a debugger one level deeper. */
  'eval-in-frame': { lane: 'deferred', request: ofFrame.extend({ code: z.string(), ...asWhom }), reply: ranInDebugger },
  /** Let the frame return the values of a form that is evaluated in it. */
  'return-from-frame': {
    lane: 'deferred',
    request: ofFrame.extend({ code: z.string(), ...asWhom }),
    reply: ranInDebugger,
  },
  /** Call the frame's function again with the same arguments; a redefinition counts. */
  'restart-frame': { lane: 'deferred', request: ofFrame.extend(asWhom), reply: ranInDebugger },
  /** Take a restart. `arguments` are forms; without any a restart that needs some asks the person for input. */
  'invoke-restart': {
    lane: 'deferred',
    request: ofDebugger.extend({ restart: z.int().nonnegative(), arguments: z.array(z.string()), ...asWhom }),
    reply: ranInDebugger,
  },
  /** Go on to the next form, the next form after this call, or the end of this function. */
  step: {
    lane: 'deferred',
    request: ofDebugger.extend({ kind: z.enum(['into', 'over', 'out']), ...asWhom }),
    reply: ranInDebugger,
  },
  /** Stop an evaluation where it is and look around; it can go on. */
  'break-in': {
    lane: 'control',
    request: z.object({ evaluation: evaluationId }),
    reply: z.object({ found: z.boolean() }),
  },
  /** Break when code that is debugged calls the function, or not any more. */
  'set-breakpoint': {
    lane: 'looking-up',
    request: z.object({ function: z.string(), set: z.boolean() }),
    reply: breakpoints,
  },
  /** Break when code that is debugged signals a condition of these types, handled or not. */
  'break-on-conditions': { lane: 'looking-up', request: z.object({ types: z.array(z.string()) }), reply: breakpoints },
  /** Compile a function again so that all its locals can be seen and every form is a step; or go back to what it was. */
  'debug-function': {
    lane: 'worker',
    request: runRequest.extend({ function: z.string(), set: z.boolean() }),
    reply: runReply(z.object({ functions: z.array(z.string()) })),
  },
  breakpoints: { lane: 'control', request: z.object({}), reply: breakpoints },
} as const;
