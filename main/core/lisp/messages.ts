/**
 * Everything that crosses the wire between this process and an SBCL image: one schema for each request, reply and event,
 * by family in `messages/`. Each request has one Lisp function behind it in the folder of `lisp/` with the family's name.
 *
 * Names on the wire are camelCase; a Lisp NIL that means "nothing" is JSON null, a list is an array, a boolean is true or
 * false (never null). Offsets count UTF-16 code units, as the strings of this side do. `lane` says which thread answers:
 * `control` never waits, `main` is for the main thread alone, `looking-up` has five seconds, `deferred`
 * waits for a thread in the debugger, `worker` takes turns.
 */
import type { z } from 'zod';
import { checkpointMessages } from './messages/checkpoints.ts';
import { compilationMessages } from './messages/compilation.ts';
import { controlMessages } from './messages/control.ts';
import { debuggerMessages } from './messages/debugger.ts';
import { definitionMessages } from './messages/definitions.ts';
import { effectMessages } from './messages/effects.ts';
import { evaluationMessages, type evaluatedForm, type evaluationReply } from './messages/evaluation.ts';
import { inspectionMessages } from './messages/inspection.ts';
import { introspectionMessages } from './messages/introspection.ts';
import { profilingMessages } from './messages/profiling.ts';
import { systemMessages } from './messages/systems.ts';

export { imageEvent, type ImageEvent } from './messages/events.ts';

export const operations = {
  ...controlMessages,
  ...checkpointMessages,
  ...evaluationMessages,
  ...debuggerMessages,
  ...definitionMessages,
  ...effectMessages,
  ...introspectionMessages,
  ...compilationMessages,
  ...inspectionMessages,
  ...profilingMessages,
  ...systemMessages,
} as const;

export type Operation = keyof typeof operations;
export type OperationRequest<Name extends Operation> = z.infer<(typeof operations)[Name]['request']>;
export type OperationReply<Name extends Operation> = z.infer<(typeof operations)[Name]['reply']>;
/** Those that take a turn in the worker. */
export type WorkerOperation = {
  [Name in Operation]: (typeof operations)[Name]['lane'] extends 'worker' ? Name : never;
}[Operation];
/** Those that run something else than a text of forms: their replies are alike but for `result`. */
export type RunOperation = Exclude<WorkerOperation, 'evaluate'>;
export type LookUpOperation = Exclude<Operation, WorkerOperation>;
export type EvaluatedForm = z.infer<typeof evaluatedForm>;
export type EvaluationReply = z.infer<typeof evaluationReply>;
