/** Profiles of running code: calls, time, memory, threads. */
import { z } from 'zod';
import { definitionSource } from '#contract/image/definition.ts';
import { conditionRecord } from '#contract/image/condition.ts';
import { evaluationStatus } from '#contract/image/evaluation.ts';
import { replId } from '#contract/image/repl.ts';

/** The beginning or the end of a traced call; a call ends by returning, or is left by a throw or an error. */
export const tracedCall = z.object({
  /** The number of the call in its evaluation. */
  call: z.int().positive(),
  /** The number of the innermost traced call around it in its thread. */
  caller: z.int().positive().nullable(),
  function: z.string(),
  /** Traced calls around it in its thread. */
  depth: z.int().nonnegative(),
  kind: z.enum(['enter', 'exit', 'unwound']),
  /** Arguments, or values at an exit; 20 at most. `handle` where the evaluation's values are kept. */
  values: z.array(z.object({ text: z.string(), handle: z.int().nullable() })),
  /** The number of further arguments or values. */
  more: z.int().nonnegative(),
  thread: z.string(),
  /** The system's; null where it has none. */
  threadId: z.int().nullable(),
  /** Microseconds since the evaluation began. */
  at: z.number(),
  /** Microseconds from the beginning to the end of the call, without what telling of calls took; null at the beginning. */
  took: z.number().nullable(),
});

export const profileMode = z.enum(['cpu', 'alloc', 'time']);

export type ProfileMode = z.infer<typeof profileMode>;

export const profileResult = z.object({
  /** The number of samples; in mode `alloc` there is one for each 32 KB or so. */
  samples: z.int().nonnegative(),
  elapsedMs: z.number(),
  /** The most frequent first; `frames` begin with `form`, the form that was run. */
  stacks: z.array(z.object({ frames: z.array(z.string()), count: z.int().positive() })),
  /** Samples of stacks that are not told. */
  other: z.int().nonnegative(),
  /** The functions, those with the most samples of their own first. */
  functions: z.array(
    z.object({
      name: z.string(),
      self: z.int().nonnegative(),
      /** The samples of the function and of what it called. */
      total: z.int().nonnegative(),
      selfPercent: z.number(),
      source: definitionSource.nullable(),
    }),
  ),
  functionsTotal: z.int().nonnegative(),
  valueText: z.string(),
});

export type ProfileResult = z.infer<typeof profileResult>;

const timedRun = z.object({
  realMs: z.number(),
  runMs: z.number(),
  gcMs: z.number(),
  bytesConsed: z.number(),
  /** The cycles of the processor, about; null where it does not tell. */
  cycles: z.number().nullable(),
});

export const timingResult = z.object({
  runs: z.array(timedRun),
  minMs: z.number(),
  medianMs: z.number(),
  valueText: z.string(),
});

/** Bytes but for `gcMs`, which counts since the image began, as `bytesConsed` does. To report is a small collection. */
export const memoryReport = z.object({
  used: z.number(),
  size: z.number(),
  /** Allocated since the collection before this report; null where SBCL does not tell. */
  sinceGc: z.number().nullable(),
  bytesConsed: z.number(),
  gcMs: z.number(),
  betweenGcs: z.number(),
  generations: z.array(z.object({ generation: z.int(), bytes: z.number(), pseudoStatic: z.boolean() })),
  /** The objects by class, the most bytes first, of `total`; dead objects count until they are collected. */
  types: z.array(z.object({ type: z.string(), count: z.int(), bytes: z.number() })),
  total: z.int().nonnegative(),
});

const heldObject = z.object({ text: z.string(), type: z.string(), handle: z.int() });

/** A way on which an object is reached. The slot of the last step holds the object. */
const rootPath = z.object({
  root: z.string(),
  steps: z.array(heldObject.extend({ slot: z.string() })),
});

/** Instances of a class; `found` is false where its name means no class. */
export const heldInstances = z.object({
  found: z.boolean(),
  total: z.int().nonnegative(),
  instances: z.array(heldObject),
});

/** The ways on which an object is reached; none when nothing but its handle keeps it. */
export const rootPaths = z.object({ expired: z.boolean(), paths: z.array(rootPath) });

/** The outcome of a collection: bytes in use before and after it. */
export const collection = z.object({ before: z.number(), after: z.number(), ms: z.number() });

export const threadRecord = z.object({
  /** The system's; null where it has none. */
  id: z.int().nullable(),
  name: z.string().nullable(),
  alive: z.boolean(),
  /** running, sleeping, waiting …; null where the system does not tell, as `cpuMs`. */
  state: z.string().nullable(),
  main: z.boolean(),
  /** True for a thread of the engine or of SBCL, which cannot be ended. */
  ours: z.boolean(),
  /** The evaluation that the thread works for. */
  evaluation: z.string().nullable(),
  cpuMs: z.number().nullable(),
});

/** The frames of a thread, innermost first. A thread does not answer while it runs code that cannot be interrupted. */
export const threadFrames = z.object({
  found: z.boolean(),
  answered: z.boolean(),
  frames: z.array(z.object({ index: z.int(), call: z.string() })),
  /** The number of further frames. */
  more: z.int().nonnegative(),
});

export type MemoryReport = z.infer<typeof memoryReport>;
export type HeldObject = z.infer<typeof heldObject>;
export type RootPath = z.infer<typeof rootPath>;
export type ThreadRecord = z.infer<typeof threadRecord>;
export type ThreadFrames = z.infer<typeof threadFrames>;
export type TracedCall = z.infer<typeof tracedCall>;

/** The most stacks, and the most functions, of a profile: with stacks of 200 frames that is a reply of a few megabytes. */
export const STACKS = 500;

export const profileCalls = {
  /** Runs code when it is its turn, and samples its last form; null for the package means the REPL's own. */
  'profile.run': {
    input: z.object({
      repl: replId,
      code: z.string().min(1),
      package: z.string().nullable(),
      mode: profileMode,
      evaluation: z.string().min(8).max(64),
    }),
    output: z
      .object({ status: evaluationStatus, condition: conditionRecord.nullable(), profile: profileResult.nullable() })
      .nullable(),
  },
  /** Samples all threads of a REPL's image from now on; `problem` says why not. */
  'profile.start': {
    asks: 'start-profile',
    input: z.object({ repl: replId, mode: profileMode }),
    output: z.object({ problem: z.string().nullable() }).nullable(),
  },
  /** Ends that, and tells what was sampled; null where none was taken. */
  'profile.stop': {
    asks: 'stop-profile',
    with: { limit: STACKS },
    input: z.object({ repl: replId }),
    output: z.object({ profile: profileResult.nullable() }).nullable(),
  },
  /** Tells for how long all threads are being sampled; null where they are not. */
  'profile.state': {
    asks: 'profile-state',
    input: z.object({ repl: replId }),
    output: z.object({ elapsedMs: z.number().nullable() }).nullable(),
  },
} as const;
