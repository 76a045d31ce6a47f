/** What code does while it runs: calls, time, memory, threads. */
import { z } from 'zod';
import { definitionSource } from './definition.ts';

/** A traced call that began, ended, or was left by a throw or an error. */
export const tracedCall = z.object({
  function: z.string(),
  /** Traced calls around it in its thread. */
  depth: z.int().nonnegative(),
  kind: z.enum(['enter', 'exit', 'unwound']),
  /** Printed arguments, or values at an exit; 20 at most. */
  values: z.array(z.string()),
  thread: z.string(),
  /** Microseconds since the evaluation began. */
  at: z.number(),
});

export const profileMode = z.enum(['cpu', 'alloc', 'time']);

export const profileResult = z.object({
  /** In mode `alloc` one for each 32 KB or so. */
  samples: z.int().nonnegative(),
  elapsedMs: z.number(),
  /** The most frequent first; `frames` begin with `form`, the form that was run. */
  stacks: z.array(z.object({ frames: z.array(z.string()), count: z.int().positive() })),
  /** Samples of stacks that are not told. */
  other: z.int().nonnegative(),
  /** Those with the most of their own first. */
  functions: z.array(
    z.object({
      name: z.string(),
      self: z.int().nonnegative(),
      /** With what they called. */
      total: z.int().nonnegative(),
      selfPercent: z.number(),
      source: definitionSource.nullable(),
    }),
  ),
  functionsTotal: z.int().nonnegative(),
  valueText: z.string(),
});

export const timedRun = z.object({
  realMs: z.number(),
  runMs: z.number(),
  gcMs: z.number(),
  bytesConsed: z.number(),
  /** Of the processor, about; null where it does not tell. */
  cycles: z.number().nullable(),
});

export const timingResult = z.object({
  runs: z.array(timedRun),
  minMs: z.number(),
  medianMs: z.number(),
  valueText: z.string(),
});

/** Bytes but for `gcMs`, which counts since the image began, as `bytesConsed` does. */
export const memoryReport = z.object({
  used: z.number(),
  size: z.number(),
  bytesConsed: z.number(),
  gcMs: z.number(),
  betweenGcs: z.number(),
  generations: z.array(z.object({ generation: z.int(), bytes: z.number(), pseudoStatic: z.boolean() })),
  /** By class, the most bytes first, at most 100 of `total`; dead objects count until they are collected. */
  types: z.array(z.object({ type: z.string(), count: z.int(), bytes: z.number() })),
  total: z.int().nonnegative(),
});

export const heldObject = z.object({ text: z.string(), type: z.string(), handle: z.int() });

/** A way on which an object is reached. The slot of the last step holds the object. */
export const rootPath = z.object({
  root: z.string(),
  steps: z.array(heldObject.extend({ slot: z.string() })),
});

export const threadRecord = z.object({
  /** The system's; null where it has none. */
  id: z.int().nullable(),
  name: z.string().nullable(),
  alive: z.boolean(),
  /** running, sleeping, waiting …; null where the system does not tell, as `cpuMs`. */
  state: z.string().nullable(),
  main: z.boolean(),
  /** Of the engine or of SBCL: it cannot be ended. */
  ours: z.boolean(),
  /** What it works for. */
  evaluation: z.string().nullable(),
  cpuMs: z.number().nullable(),
});

export type TracedCall = z.infer<typeof tracedCall>;
export type ProfileMode = z.infer<typeof profileMode>;
export type ProfileResult = z.infer<typeof profileResult>;
export type TimingResult = z.infer<typeof timingResult>;
export type MemoryReport = z.infer<typeof memoryReport>;
export type RootPath = z.infer<typeof rootPath>;
export type ThreadRecord = z.infer<typeof threadRecord>;
