/**
 * All messages between this process and an SBCL image: one schema for each request, reply and event, grouped by family in `messages/`. Each
 * request is implemented by one Lisp function, in the folder of `lisp/` that has the family's name.
 *
 * Names on the wire are camelCase. A Lisp NIL that means "nothing" is JSON null, a list is an array, and a boolean is true or false (never
 * null). Offsets count UTF-16 code units, like the strings on this side.
 *
 * `lane` is the thread that answers: `control` never waits; `main` is for operations that need the main thread; `looking-up` has a few
 * seconds; `deferred` waits for a thread in the debugger; `worker` runs one operation after another from a queue. Operations of the last
 * two may change the image. For each other operation, `changes` is true if it may change the image, and false if it only reads the image or
 * its change is lost with the process.
 */
import type { z } from 'zod';
import { checkpointMessages } from './messages/checkpoints.ts';
import { compilationMessages } from './messages/compilation.ts';
import { controlMessages } from './messages/control.ts';
import { coverageMessages } from './messages/coverage.ts';
import { debuggerMessages } from './messages/debugger.ts';
import { definitionMessages } from './messages/definitions.ts';
import { effectMessages } from './messages/effects.ts';
import { evaluationMessages, type evaluatedForm } from './messages/evaluation.ts';
import { inspectionMessages } from './messages/inspection.ts';
import { introspectionMessages } from './messages/introspection.ts';
import { profilingMessages } from './messages/profiling.ts';
import { recordingMessages } from './messages/recording.ts';
import { swankMessages } from './messages/swank.ts';
import { systemMessages } from './messages/systems.ts';
import { testingMessages } from './messages/testing.ts';

export { imageEvent, type ImageEvent } from './messages/events.ts';

interface Message {
  readonly lane: 'control' | 'main' | 'looking-up' | 'deferred' | 'worker';
  readonly changes?: boolean;
  readonly request: z.ZodType;
  readonly reply: z.ZodType;
}

/** A message of a lane that runs code. */
type Running = Message & { readonly lane: 'deferred' | 'worker'; readonly changes?: never };
type Other = Message & { readonly lane: 'control' | 'main' | 'looking-up'; readonly changes: boolean };

export const operations = {
  ...controlMessages,
  ...checkpointMessages,
  ...evaluationMessages,
  ...debuggerMessages,
  ...definitionMessages,
  ...effectMessages,
  ...introspectionMessages,
  ...compilationMessages,
  ...coverageMessages,
  ...inspectionMessages,
  ...profilingMessages,
  ...recordingMessages,
  ...swankMessages,
  ...systemMessages,
  ...testingMessages,
} as const satisfies Record<string, Running | Other>;

export type Operation = keyof typeof operations;
export type OperationRequest<Name extends Operation> = z.infer<(typeof operations)[Name]['request']>;
export type OperationReply<Name extends Operation> = z.infer<(typeof operations)[Name]['reply']>;
/** The operations that are queued for the worker thread. */
export type WorkerOperation = {
  [Name in Operation]: (typeof operations)[Name]['lane'] extends 'worker' ? Name : never;
}[Operation];
/** The operations of the worker thread that run something other than forms from source text. Their replies differ only in `result`. */
export type RunOperation = Exclude<WorkerOperation, 'evaluate'>;
export type LookUpOperation = Exclude<Operation, WorkerOperation>;
export type EvaluatedForm = z.infer<typeof evaluatedForm>;

/** Returns true if the operation may change the image. */
export function mayChange(op: Operation): boolean {
  const operation: Message = operations[op];
  return operation.changes ?? true;
}
