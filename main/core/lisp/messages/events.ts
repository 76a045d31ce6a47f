/** The events that an image sends without being asked. */
import { z } from 'zod';
import { filesCompiled } from '#contract/image/compilation.ts';
import { conditionRecord } from '#contract/image/condition.ts';
import { debuggerQuestion, debuggerRecord } from '#contract/image/debugger.ts';
import { recordedEffect, waitingEffect } from '#contract/decisions/effect.ts';
import { effectOutcome } from '#contract/decisions/past-effect.ts';
import { evaluationStatus, printedValue, sourcePlace } from '#contract/image/evaluation.ts';
import { definitionEvent } from '#contract/image/definition.ts';
import { lackingFeature } from '#contract/image/session.ts';
import { systemProgress } from '#contract/image/system.ts';
import { testResult, testStart } from '#contract/image/testing.ts';
import { tracedCall } from '#contract/image/observation/profiling.ts';
import { endedRecordings, recordedCounts } from '#contract/image/observation/recording.ts';
import { breakpoints } from './debugger.ts';
import { evaluatedForm } from './evaluation.ts';
import { evaluationId } from './run.ts';

export const imageEvent = z.discriminatedUnion('event', [
  /** First frame of a live image. */
  z.object({
    event: z.literal('ready'),
    lisp: z.string(),
    version: z.string(),
    pid: z.int(),
    asdf: z.string(),
    quicklisp: z.boolean(),
    lacking: z.array(lackingFeature),
  }),
  z.object({
    event: z.literal('output'),
    evaluation: evaluationId.nullable(),
    /** `terminal`: what a client's code wrote to *query-io* and *debug-io*, which no reply of a contract has. */
    stream: z.enum(['stdout', 'stderr', 'terminal']),
    text: z.string(),
  }),
  /** The evaluation reads from its input; its worker is set aside until `input` comes. */
  z.object({ event: z.literal('input-requested'), evaluation: evaluationId }),
  z.object({ event: z.literal('input-received'), evaluation: evaluationId }),
  /** Code waits in the debugger; its worker is set aside until a restart or the like lets it go on. */
  z.object({ event: z.literal('debugger-entered'), debugger: debuggerRecord }),
  z.object({ event: z.literal('debugger-left'), debugger: z.string(), evaluation: evaluationId }),
  /** A breakpoint was put on a function that came to be, or its function is gone. */
  breakpoints.extend({ event: z.literal('breakpoints-changed') }),
  /** Code that runs in a debugger reads from the person; its thread waits for `answer-question`. */
  z.object({ event: z.literal('question-asked'), debugger: z.string(), question: debuggerQuestion }),
  /** The wait for the answer is over, however it ended. */
  z.object({ event: z.literal('question-over'), debugger: z.string(), question: z.string() }),
  /** The end of an evaluation that was held in the debugger after its reply. */
  z.object({
    event: z.literal('evaluation-continued'),
    evaluation: evaluationId,
    status: evaluationStatus,
    values: z.array(printedValue),
    condition: conditionRecord.nullable(),
  }),
  /** Guarded code is about to do something outside the image; its thread waits for `decide-effect`. */
  z.object({ event: z.literal('effect-requested'), effect: waitingEffect }),
  /** Agents have evaluated something that the person has not accepted, or the person has: told where their own effects wait for that. */
  z.object({ event: z.literal('agents-changed'), unreviewed: z.boolean() }),
  /** The wait for an effect's decision is over, however it ended. */
  z.object({
    event: z.literal('effect-settled'),
    effect: z.string(),
    evaluation: evaluationId.nullable(),
    outcome: effectOutcome,
  }),
  /** Code of this evaluation had taken the guard away from these operators; it is in its place again. */
  z.object({
    event: z.literal('guard-tampered'),
    evaluation: evaluationId,
    actor: z.string(),
    operators: z.array(z.string()),
  }),
  recordedEffect.extend({ event: z.literal('effect-recorded') }),
  /** The package sweep after an evaluation found changes in these packages. */
  z.object({
    event: z.literal('definitions-changed'),
    evaluation: evaluationId.nullable(),
    actor: z.string().nullable(),
    packages: z.array(z.string()),
    removedPackages: z.array(z.string()),
  }),
  /**
   * The definitions made since the last such event, oldest first, at most 500; `more` counts what is not in the list, such as what
   * a loaded system brought.
   */
  z.object({
    event: z.literal('definition-events'),
    evaluation: evaluationId.nullable(),
    events: z.array(definitionEvent),
    more: z.int().nonnegative(),
  }),
  /** A load, compilation or test of a system goes on: at the first step, at most 20 times a second, and at the end. */
  systemProgress.extend({ event: z.literal('system-progress') }),
  /** A test of `run-tests` begins. */
  testStart.extend({ event: z.literal('test-started') }),
  /** The result of a test, after all that the test printed. */
  testResult.extend({ event: z.literal('test-finished') }),
  /** Code had a system or module loaded, by whatever way: it counts among those to load again in a fresh image. */
  z.object({
    event: z.literal('system-loaded'),
    evaluation: evaluationId.nullable(),
    /** The actor whose code had it loaded: an agent's also where the person called that code. */
    actor: z.string().nullable(),
    system: z.string(),
    /** Native names of the source files that were loaded. */
    files: z.array(z.string()),
  }),
  /** Diagnostics of the files that the person's code had compiled; files without a fault have none. */
  filesCompiled.extend({ event: z.literal('files-compiled') }),
  /** An error in a thread that user code made and nobody handled; the thread was ended. */
  z.object({
    event: z.literal('thread-failed'),
    evaluation: evaluationId.nullable(),
    thread: z.string(),
    condition: conditionRecord,
  }),
  /** First frame of a checkpoint that goes on as the image; `copy` is the process that now holds the same checkpoint. */
  z.object({
    event: z.literal('woken'),
    pid: z.int(),
    copy: z.int(),
    /** Sentences about what a copy cannot have, such as processes that were started. */
    missing: z.array(z.string()),
  }),
  z.object({ event: z.literal('world-saved'), file: z.string(), written: z.boolean() }),
  /** Beginnings and ends of calls of traced functions, oldest first. `dropped` counts all calls of the evaluation that were too many to tell. */
  z.object({
    event: z.literal('trace'),
    evaluation: evaluationId,
    calls: z.array(tracedCall),
    dropped: z.int().nonnegative(),
  }),
  /** Emacs has something evaluated, which belongs to the evaluation of `serve-swank`: that id, a slash, a number. */
  z.object({
    event: z.literal('swank-evaluation-started'),
    evaluation: evaluationId,
    actor: z.string(),
    code: z.string(),
    package: z.string(),
  }),
  /** `ok`: false when it was left, as from the debugger in Emacs. `forms` are those that define something. */
  z.object({
    event: z.literal('swank-evaluation-finished'),
    evaluation: evaluationId,
    ok: z.boolean(),
    realMs: z.number(),
    forms: z.array(evaluatedForm),
    source: sourcePlace.nullable(),
  }),
  recordedCounts.extend({ event: z.literal('values-recorded') }),
  endedRecordings.extend({ event: z.literal('recordings-ended') }),
  /** A person's code called INSPECT; the object is held for the evaluation. */
  z.object({ event: z.literal('inspection-wanted'), evaluation: evaluationId, handle: z.int() }),
  /** A person's code called ED: on a file, on a name as it is read in CL-USER, or on neither. */
  z.object({
    event: z.literal('editing-wanted'),
    evaluation: evaluationId,
    file: z.string().nullable(),
    name: z.string().nullable(),
  }),
  /** The image is about to end by the code's own wish, e.g. (exit :code 7). */
  z.object({ event: z.literal('exiting'), evaluation: evaluationId.nullable(), code: z.int().nullable() }),
]);

export type ImageEvent = z.infer<typeof imageEvent>;
