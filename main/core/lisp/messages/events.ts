/** What the image says of its own accord. */
import { z } from 'zod';
import { conditionRecord } from '#contract/condition.ts';
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
  /** First frame of a checkpoint that goes on as the image; `copy` is the process that now holds the same checkpoint. */
  z.object({
    event: z.literal('woken'),
    pid: z.int(),
    copy: z.int(),
    /** Sentences about what a copy cannot have, such as processes that were started. */
    missing: z.array(z.string()),
  }),
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
