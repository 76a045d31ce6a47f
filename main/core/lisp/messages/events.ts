/** The events that an image sends on its own. */
import { z } from 'zod';
import { wantedRelease } from '#contract/image/library-tool.ts';
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

/** The fields of all requests for libraries. */
const libraryRequest = z.object({
  request: z.string(),
  /** The name of the system for which libraries are needed. */
  subject: z.string(),
  evaluation: evaluationId.nullable(),
  actor: z.string().nullable(),
  /** The folder of the image's client, or the one in which the core installs releases for an image without a client. */
  home: z.string(),
});

export const imageEvent = z.discriminatedUnion('event', [
  /** The first frame of a live image. */
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
    /** `terminal` is the output that a client's code writes to *query-io* and *debug-io*. It is not part of any reply to a client. */
    stream: z.enum(['stdout', 'stderr', 'terminal']),
    text: z.string(),
  }),
  /** The evaluation reads from its input; its worker is suspended until `input` arrives. */
  z.object({ event: z.literal('input-requested'), evaluation: evaluationId }),
  z.object({ event: z.literal('input-received'), evaluation: evaluationId }),
  /** Code is waiting in the debugger; its worker is suspended until it is continued by a restart or another action. */
  z.object({ event: z.literal('debugger-entered'), debugger: debuggerRecord }),
  z.object({ event: z.literal('debugger-left'), debugger: z.string(), evaluation: evaluationId }),
  /** A function with a breakpoint has been defined, or no longer exists. */
  breakpoints.extend({ event: z.literal('breakpoints-changed') }),
  /** Code that runs in a debugger asks the person for input; its thread waits for `answer-question`. */
  z.object({ event: z.literal('question-asked'), debugger: z.string(), question: debuggerQuestion }),
  /** The question is no longer waiting for an answer, for any reason. */
  z.object({ event: z.literal('question-over'), debugger: z.string(), question: z.string() }),
  /** The end of an evaluation that was held in the debugger after its reply. */
  z.object({
    event: z.literal('evaluation-continued'),
    evaluation: evaluationId,
    status: evaluationStatus,
    values: z.array(printedValue),
    condition: conditionRecord.nullable(),
  }),
  /** Guarded code is about to act outside the image; its thread waits for `decide-effect`. */
  z.object({ event: z.literal('effect-requested'), effect: waitingEffect }),
  /** There is now an unaccepted evaluation of an agent, or none is left. Sent only if the person's own effects wait for acceptance. */
  z.object({ event: z.literal('agents-changed'), unreviewed: z.boolean() }),
  /** The effect is no longer waiting for a decision, for any reason. */
  z.object({
    event: z.literal('effect-settled'),
    effect: z.string(),
    evaluation: evaluationId.nullable(),
    outcome: effectOutcome,
  }),
  /** Code of this evaluation had removed the guard from these operators; the guard has been restored. */
  z.object({
    event: z.literal('guard-tampered'),
    evaluation: evaluationId,
    actor: z.string(),
    operators: z.array(z.string()),
  }),
  recordedEffect.extend({ event: z.literal('effect-recorded') }),
  /** The package check after an evaluation found changes in these packages. */
  z.object({
    event: z.literal('definitions-changed'),
    evaluation: evaluationId.nullable(),
    actor: z.string().nullable(),
    packages: z.array(z.string()),
    removedPackages: z.array(z.string()),
  }),
  /**
   * The definitions made since the last such event, oldest first, at most 500. `more` is the number of definitions that were left out, such
   * as those of a loaded system.
   */
  z.object({
    event: z.literal('definition-events'),
    evaluation: evaluationId.nullable(),
    events: z.array(definitionEvent),
    more: z.int().nonnegative(),
  }),
  /** Progress of loading, compiling or testing a system: at the first step, at most 20 times a second, and at the end. */
  systemProgress.extend({ event: z.literal('system-progress') }),
  /** A test of `run-tests` has started. */
  testStart.extend({ event: z.literal('test-started') }),
  /** The result of a test, after all of the test's output. */
  testResult.extend({ event: z.literal('test-finished') }),
  /** Code loaded a system or module in any way. A new image will load it again. */
  z.object({
    event: z.literal('system-loaded'),
    evaluation: evaluationId.nullable(),
    /** The actor whose code loaded the system or module. This is the agent even if the person called the agent's code. */
    actor: z.string().nullable(),
    system: z.string(),
    /** The native names of the source files that were loaded. */
    files: z.array(z.string()),
  }),
  /**
   * The image lacks systems, or projects that its Quicklisp client has named; its thread waits for `settle-libraries` with the releases that
   * provide them.
   */
  libraryRequest.extend({
    event: z.literal('libraries-sought'),
    systems: z.array(z.string()).default([]),
    projects: z.array(z.string()).default([]),
  }),
  /**
   * The image lacks these releases; its thread waits for `settle-libraries`. If the code is guarded, the effect `install-libraries` was
   * approved before.
   */
  libraryRequest.extend({ event: z.literal('libraries-wanted'), releases: z.array(wantedRelease) }),
  /** The image's client changes a dist to `version`, or to the newest one; its thread waits for `settle-libraries` with what changes. */
  libraryRequest.extend({ event: z.literal('dist-change-sought'), dist: z.string(), version: z.string().nullable() }),
  /**
   * The image's client changes its dists; its thread waits for `settle-libraries`. `to` is the name of a dist and its new version, or the
   * address of a further dist.
   */
  libraryRequest.extend({
    event: z.literal('dist-change-wanted'),
    change: z.enum(['update', 'subscribe']),
    to: z.string(),
  }),
  /** The code no longer waits for the releases, for example because it was interrupted. */
  z.object({ event: z.literal('libraries-abandoned'), request: z.string() }),
  /** Diagnostics of the files that the person's code compiled. Files without problems are included, with no diagnostics. */
  filesCompiled.extend({ event: z.literal('files-compiled') }),
  /** An unhandled error in a thread that user code created; the thread was ended. */
  z.object({
    event: z.literal('thread-failed'),
    evaluation: evaluationId.nullable(),
    thread: z.string(),
    condition: conditionRecord,
  }),
  /** The first frame of a checkpoint that continues as the image. `copy` is the process that now stores the same checkpoint. */
  z.object({
    event: z.literal('woken'),
    pid: z.int(),
    copy: z.int(),
    /** Sentences about what the checkpoint cannot restore, such as started processes. */
    missing: z.array(z.string()),
  }),
  z.object({ event: z.literal('world-saved'), file: z.string(), written: z.boolean() }),
  /**
   * Starts and ends of calls of traced functions, oldest first. `dropped` is the number of the evaluation's calls that were left out
   * because there were too many.
   */
  z.object({
    event: z.literal('trace'),
    evaluation: evaluationId,
    calls: z.array(tracedCall),
    dropped: z.int().nonnegative(),
  }),
  /** Emacs evaluates a form, as part of the `serve-swank` evaluation. The id consists of that evaluation's id, a slash and a number. */
  z.object({
    event: z.literal('swank-evaluation-started'),
    evaluation: evaluationId,
    actor: z.string(),
    code: z.string(),
    package: z.string(),
  }),
  /**
   * An evaluation by Emacs has ended. `ok` is false if it was aborted, for example from the debugger in Emacs. `forms` contains the forms
   * that define or register something.
   */
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
  /** The person's code called INSPECT; the object is held for the evaluation. */
  z.object({ event: z.literal('inspection-wanted'), evaluation: evaluationId, handle: z.int() }),
  /** The person's code called ED with a file, with a name as read in CL-USER, or with neither. */
  z.object({
    event: z.literal('editing-wanted'),
    evaluation: evaluationId,
    file: z.string().nullable(),
    name: z.string().nullable(),
  }),
  /** The image is about to end because code requested it, e.g. (exit :code 7). */
  z.object({ event: z.literal('exiting'), evaluation: evaluationId.nullable(), code: z.int().nullable() }),
]);

export type ImageEvent = z.infer<typeof imageEvent>;
