/** What the image says of its own accord. */
import { z } from 'zod';
import { conditionRecord } from '#contract/condition.ts';
import { debuggerRecord } from '#contract/debugger.ts';
import { effectRecord, recordedEffect } from '#contract/effect.ts';
import { effectOutcome } from '#contract/past-effect.ts';
import { evaluationStatus, printedValue } from '#contract/evaluation.ts';
import { definitionEvent } from '#contract/definition.ts';
import { lackingFeature } from '#contract/session.ts';
import { systemProgress } from '#contract/system.ts';
import { tracedCall } from '#contract/profiling.ts';
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
  /** Code waits in the debugger; its worker is set aside until a restart or the like lets it go on. */
  z.object({ event: z.literal('debugger-entered'), debugger: debuggerRecord }),
  z.object({ event: z.literal('debugger-left'), debugger: z.string(), evaluation: evaluationId }),
  /** How an evaluation ended that was held in the debugger after its reply. */
  z.object({
    event: z.literal('evaluation-continued'),
    evaluation: evaluationId,
    status: evaluationStatus,
    values: z.array(printedValue),
    condition: conditionRecord.nullable(),
  }),
  /** Guarded code is about to do something outside the image; its thread waits for `decide-effect`. */
  z.object({ event: z.literal('effect-requested'), effect: effectRecord }),
  /** That wait is over, however it ended. */
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
   * What was defined since the last such event, oldest first, at most 500; `more` counts what is not in the list, such as
   * what a loaded system brought.
   */
  z.object({
    event: z.literal('definition-events'),
    evaluation: evaluationId.nullable(),
    events: z.array(definitionEvent),
    more: z.int().nonnegative(),
  }),
  /** A load, compilation or test of a system goes on: at the first step, at most 20 times a second, and at the end. */
  systemProgress.extend({ event: z.literal('system-progress') }),
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
  /** Calls of traced functions, oldest first. `dropped` counts all of the evaluation that were too many to tell. */
  z.object({
    event: z.literal('trace'),
    evaluation: evaluationId,
    calls: z.array(tracedCall),
    dropped: z.int().nonnegative(),
  }),
  /** The image is about to end by the code's own wish, e.g. (exit :code 7). */
  z.object({ event: z.literal('exiting'), evaluation: evaluationId.nullable(), code: z.int().nullable() }),
]);

export type ImageEvent = z.infer<typeof imageEvent>;
