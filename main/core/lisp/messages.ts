/**
 * Everything that crosses the wire between this process and an SBCL image: one schema for each request, reply and event.
 * Each request has one Lisp function behind it in `lisp/`. Names on the wire are camelCase; a Lisp NIL that means
 * "nothing" is JSON null, a list is an array, a boolean is true or false (never null). Offsets count UTF-16 code units, as
 * the strings of this side do.
 */
import { z } from 'zod';
import { conditionRecord, warningRecord } from '#contract/condition.ts';
import { definitionRecord, definitionSource, packageDefinitions } from '#contract/definition.ts';
import { evaluationStatus, printedValue, sourcePlace, timing } from '#contract/evaluation.ts';
import { systemRecord } from '#contract/system.ts';

/** A top-level form that was evaluated without error. `defines` is the operator when the form defines or declares something. */
export const evaluatedForm = z.object({
  start: z.int(),
  end: z.int(),
  /** Upper-case operator name such as DEFUN, or null when the form defines nothing that a replay needs. */
  defines: z.string().nullable(),
  /** What it defines, printed, e.g. SQUARE or (SETF AREA). */
  name: z.string().nullable(),
  /** The package in which the form was read. */
  package: z.string(),
});

export const evaluationReply = z.object({
  status: evaluationStatus,
  values: z.array(printedValue),
  warnings: z.array(warningRecord),
  condition: conditionRecord.nullable(),
  forms: z.array(evaluatedForm),
  /** Name of the context's current package after the call. */
  package: z.string(),
  timing,
  /** Characters of output that went past the limit and were counted, not sent. */
  outputCut: z.int().nonnegative(),
});

const evaluationId = z.string();
const contextId = z.string();

/** name → request fields and reply. `lane` says which thread answers: control never waits, worker takes turns. */
export const operations = {
  /** Heartbeat; also the figures of the status bar. */
  ping: {
    lane: 'control',
    request: z.object({}),
    reply: z.object({
      heapUsed: z.number(),
      heapSize: z.number(),
      threads: z.int(),
      evaluating: evaluationId.nullable(),
    }),
  },
  /** Ask the evaluation to unwind (first step of the ladder). Its own reply then has status `interrupted`. */
  interrupt: {
    lane: 'control',
    request: z.object({ evaluation: evaluationId }),
    reply: z.object({ found: z.boolean() }),
  },
  /** End the evaluation's thread (second step of the ladder); a fresh worker takes over. */
  terminate: {
    lane: 'control',
    request: z.object({ evaluation: evaluationId }),
    reply: z.object({ found: z.boolean() }),
  },
  /** Answer an `input-requested` event. `text: null` is end of file. */
  input: {
    lane: 'control',
    request: z.object({ evaluation: evaluationId, text: z.string().nullable() }),
    reply: z.object({ found: z.boolean() }),
  },
  /** Read, evaluate and report form by form in a context. */
  evaluate: {
    lane: 'worker',
    request: z.object({
      evaluation: evaluationId,
      /** Holds current package, * ** ***, + ++ +++, / // ///, last error and history; made on first use, starts in CL-USER. */
      context: contextId,
      actor: z.string(),
      code: z.string(),
      /** Binds *package* for this call only (REQUIREMENTS decision 3). */
      package: z.string().nullable(),
      /** Asks the person for input; otherwise reads see end of file. */
      interactive: z.boolean(),
      source: sourcePlace.nullable(),
      /** Characters of output sent as events before the rest is only counted. */
      outputLimit: z.int().positive(),
      /** Characters of each printed value. */
      valueLimit: z.int().positive(),
    }),
    reply: evaluationReply,
  },
  /** Load an ASDF (or Quicklisp, when present) system; output arrives as events of `evaluation`. */
  'load-system': {
    lane: 'worker',
    request: z.object({
      evaluation: evaluationId,
      context: contextId,
      actor: z.string(),
      system: z.string(),
      outputLimit: z.int().positive(),
    }),
    reply: z.object({
      status: evaluationStatus,
      name: z.string(),
      version: z.string().nullable(),
      warnings: z.array(warningRecord),
      condition: conditionRecord.nullable(),
      timing,
      outputCut: z.int().nonnegative(),
    }),
  },
  /** Drop a context that nobody will use again. */
  'forget-context': {
    lane: 'control',
    request: z.object({ context: contextId }),
    reply: z.object({ found: z.boolean() }),
  },
  /** The context's current package, for a prompt. */
  'current-package': {
    lane: 'control',
    request: z.object({ context: contextId }),
    reply: z.object({ package: z.string() }),
  },
  /** The context's last error, null when there was none. */
  'last-error': {
    lane: 'control',
    request: z.object({ context: contextId }),
    reply: z.object({ condition: conditionRecord.nullable(), code: z.string().nullable() }),
  },
  /** Definitions of packages. `packages: null` means CL-USER and every package that is not in the pristine image. */
  definitions: {
    lane: 'looking-up',
    request: z.object({ packages: z.array(z.string()).nullable() }),
    reply: z.object({ packages: z.array(packageDefinitions) }),
  },
  /** What list-definitions needs: one package (null: the context's current one), and the systems loaded since the pristine image. */
  'list-definitions': {
    lane: 'looking-up',
    request: z.object({ context: contextId, package: z.string().nullable() }),
    reply: z.object({
      package: z.string(),
      definitions: z.array(definitionRecord),
      systems: z.array(z.string()),
      unknownPackage: z.boolean(),
    }),
  },
  'describe-symbol': {
    lane: 'looking-up',
    request: z.object({ context: contextId, symbol: z.string(), package: z.string().nullable() }),
    reply: z.object({
      found: z.boolean(),
      /** As prin1 prints it from CL-USER. */
      symbol: z.string(),
      package: z.string(),
      unknownPackage: z.boolean(),
      /** Everything that the symbol names; empty for a symbol without any. */
      meanings: z.array(
        z.object({
          /** function, macro, generic function, special operator, variable, constant, class, structure, condition, type … */
          kind: z.string(),
          lambdaList: z.string().nullable(),
          documentation: z.string().nullable(),
          value: z.string().nullable(),
          source: definitionSource.nullable(),
        }),
      ),
      /** Nearest symbol names when it was not found, best first, at most 5. */
      near: z.array(z.string()),
    }),
  },
  /** ASDF systems in reach by name, from the source registry, without running their files. */
  systems: {
    lane: 'looking-up',
    request: z.object({}),
    reply: z.object({ systems: z.array(systemRecord), quicklisp: z.boolean() }),
  },
} as const;

export type Operation = keyof typeof operations;
export type OperationRequest<Name extends Operation> = z.infer<(typeof operations)[Name]['request']>;
export type OperationReply<Name extends Operation> = z.infer<(typeof operations)[Name]['reply']>;

/** What the image says of its own accord. */
export const imageEvent = z.discriminatedUnion('event', [
  /** First frame of a live image. */
  z.object({
    event: z.literal('ready'),
    lisp: z.string(),
    version: z.string(),
    pid: z.int(),
    asdf: z.string(),
    quicklisp: z.boolean(),
  }),
  z.object({ event: z.literal('started'), evaluation: evaluationId }),
  z.object({
    event: z.literal('output'),
    evaluation: evaluationId.nullable(),
    stream: z.enum(['stdout', 'stderr']),
    text: z.string(),
  }),
  /** The evaluation reads from its input; its worker is set aside until `input` comes. */
  z.object({ event: z.literal('input-requested'), evaluation: evaluationId }),
  z.object({ event: z.literal('input-received'), evaluation: evaluationId }),
  /** The package sweep after an evaluation found changes in these packages. */
  z.object({
    event: z.literal('definitions-changed'),
    evaluation: evaluationId.nullable(),
    actor: z.string().nullable(),
    packages: z.array(z.string()),
    removedPackages: z.array(z.string()),
  }),
  /** An error in a thread that user code made and nobody handled; the thread was ended. */
  z.object({
    event: z.literal('thread-failed'),
    evaluation: evaluationId.nullable(),
    thread: z.string(),
    condition: conditionRecord,
  }),
  /** The image is about to end by the code's own wish, e.g. (exit :code 7). */
  z.object({ event: z.literal('exiting'), evaluation: evaluationId.nullable(), code: z.int().nullable() }),
]);

export type ImageEvent = z.infer<typeof imageEvent>;
export type EvaluatedForm = z.infer<typeof evaluatedForm>;
export type EvaluationReply = z.infer<typeof evaluationReply>;
