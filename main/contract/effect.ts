/** What agent code does outside the image: asked for while its thread is parked inside the call, or recorded. */
import { z } from 'zod';
import { frameSource } from './debugger.ts';
import { effectKind, pastEffect } from './past-effect.ts';

/** A call that waits for a decision. */
export const effectRecord = z.object({
  /** Unique over all lives of all images. */
  effect: z.string(),
  /** Null for code of no evaluation, such as a timer's. */
  evaluation: z.string().nullable(),
  actor: z.string().nullable(),
  thread: z.string(),
  /** Whether the evaluation's own thread waits; false for a thread that its code made. */
  ownThread: z.boolean(),
  kind: effectKind,
  operator: z.string(),
  /** Real path with links followed, command line as a shell has it, host:port, NAME=value or the like. */
  target: z.string(),
  /** The real path where a file is concerned; it need not exist. */
  path: z.string().nullable(),
  /** The second one of a rename or a hard link: the new name. */
  otherPath: z.string().nullable(),
  /** `size` in bytes, `modified`, `change` (overwrites, appends, new file …), `working directory`, `environment` … */
  facts: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The code's own frames, innermost first, at most 20. */
  frames: z.array(
    z.object({
      call: z.string(),
      source: frameSource.nullable(),
      /** The top-level form of the evaluation that runs, from 1, and of how many; null for all other frames. */
      form: z.object({ number: z.int().positive(), total: z.int().positive() }).nullable(),
    }),
  ),
  /** Frames of SBCL and the engine by name, innermost first, at most 40. `before`: how many of `frames` are further in. */
  innerFrames: z.array(z.object({ call: z.string(), before: z.int().nonnegative() })),
  /** What can be chosen. */
  restarts: z.array(
    z.object({ name: z.enum(['PROCEED', 'PROCEED-ALWAYS', 'USE-PATH', 'DENY', 'ABORT']), label: z.string() }),
  ),
  /** The ASDF system that is being compiled or loaded. */
  system: z.string().nullable(),
  /** The latest effects that this evaluation had before, oldest first, and how many there were in all. */
  before: z.array(pastEffect),
  beforeTotal: z.int().nonnegative(),
});

/** Tells the thread what to do. `path` is for `use-path`, `reason` for `deny` and `abort`: the code's author reads it. */
export const effectDecision = z.object({
  decision: z.enum(['proceed', 'use-path', 'deny', 'abort']),
  path: z.string().nullable(),
  reason: z.string().nullable(),
});

/** An effect that nobody was asked for: allowed where it is done, or denied where nobody can wait. */
export const recordedEffect = z.object({
  evaluation: z.string().nullable(),
  actor: z.string().nullable(),
  kind: effectKind,
  operator: z.string(),
  /** For the cache of compiled files the cache itself, told once for each evaluation. */
  target: z.string(),
  path: z.string().nullable(),
  system: z.string().nullable(),
  outcome: z.enum(['recorded', 'denied']),
  /** How many were not told before this one, being of no evaluation and too many. */
  more: z.int().nonnegative(),
});

export type EffectRecord = z.infer<typeof effectRecord>;
export type EffectDecision = z.infer<typeof effectDecision>;
export type RecordedEffect = z.infer<typeof recordedEffect>;
