/** Profiles of running code: calls, time, memory, threads. */
import { z } from 'zod';
import { definitionSource } from '#contract/image/definition.ts';
import { conditionRecord } from '#contract/image/condition.ts';
import { evaluationStatus } from '#contract/image/evaluation.ts';
import { replId } from '#contract/image/repl.ts';

/** The entry or the exit of a traced call. A call exits by a return, a throw or an error. */
export const tracedCall = z.object({
  /** The number of the call in its evaluation. */
  call: z.int().positive(),
  /** The number of the enclosing traced call in the same thread. */
  caller: z.int().positive().nullable(),
  function: z.string(),
  /** The number of enclosing traced calls in the same thread. */
  depth: z.int().nonnegative(),
  kind: z.enum(['enter', 'exit', 'unwound']),
  /** The arguments; at an exit, the returned values; at most 20. `handle` is set if the evaluation's values are retained. */
  values: z.array(z.object({ text: z.string(), handle: z.int().nullable() })),
  /** The number of omitted arguments or values. */
  more: z.int().nonnegative(),
  thread: z.string(),
  /** The system's thread id; null if there is none. */
  threadId: z.int().nullable(),
  /** Microseconds since the evaluation began. */
  at: z.number(),
  /** Microseconds from entry to exit of the call, without the time spent on reporting calls; null for an entry. */
  took: z.number().nullable(),
});

export const profileMode = z.enum(['cpu', 'alloc', 'time']);

export type ProfileMode = z.infer<typeof profileMode>;

export const profileResult = z.object({
  /** The number of samples; in mode `alloc`, about one for every 32 KB allocated. */
  samples: z.int().nonnegative(),
  elapsedMs: z.number(),
  /** The stacks, most frequent first. Each list `frames` begins with `form`, the profiled form. */
  stacks: z.array(z.object({ frames: z.array(z.string()), count: z.int().positive() })),
  /** The number of samples in stacks that are not listed. */
  other: z.int().nonnegative(),
  /** The functions, sorted by their own samples in descending order. */
  functions: z.array(
    z.object({
      name: z.string(),
      self: z.int().nonnegative(),
      /** The number of samples in the function and in its callees. */
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
  /** The approximate number of processor cycles; null if the processor does not report it. */
  cycles: z.number().nullable(),
});

export const timingResult = z.object({
  runs: z.array(timedRun),
  minMs: z.number(),
  medianMs: z.number(),
  valueText: z.string(),
});

/**
 * The memory use in bytes; `gcMs` is in milliseconds. `gcMs` and `bytesConsed` count from the start of the image. Creating a report runs a
 * small garbage collection.
 */
export const memoryReport = z.object({
  used: z.number(),
  size: z.number(),
  /** Bytes allocated since the collection before this report; null if SBCL does not report them. */
  sinceGc: z.number().nullable(),
  bytesConsed: z.number(),
  gcMs: z.number(),
  betweenGcs: z.number(),
  generations: z.array(z.object({ generation: z.int(), bytes: z.number(), pseudoStatic: z.boolean() })),
  /**
   * The objects by class, sorted by bytes in descending order; `total` is the number of classes. Dead objects count until they are
   * collected.
   */
  types: z.array(z.object({ type: z.string(), count: z.int(), bytes: z.number() })),
  total: z.int().nonnegative(),
});

const heldObject = z.object({ text: z.string(), type: z.string(), handle: z.int() });

/** A path of references to an object. The slot of the last step refers to the object. */
const rootPath = z.object({
  root: z.string(),
  steps: z.array(heldObject.extend({ slot: z.string() })),
});

/** Retained instances of a class; `found` is false if no class has that name. */
export const heldInstances = z.object({
  found: z.boolean(),
  total: z.int().nonnegative(),
  instances: z.array(heldObject),
});

/** The reference paths to an object; empty if only its handle keeps it alive. */
export const rootPaths = z.object({ expired: z.boolean(), paths: z.array(rootPath) });

/** The result of a garbage collection: the bytes in use before and after it. */
export const collection = z.object({ before: z.number(), after: z.number(), ms: z.number() });

export const threadRecord = z.object({
  /** The system's thread id; null if there is none. */
  id: z.int().nullable(),
  name: z.string().nullable(),
  alive: z.boolean(),
  /**
   * The state of the thread: running, sleeping, waiting …; null if the system does not report it. `cpuMs` is also null if the system does
   * not report it.
   */
  state: z.string().nullable(),
  main: z.boolean(),
  /** True for a thread of the engine or of SBCL. Such a thread cannot be ended. */
  ours: z.boolean(),
  /** The evaluation for which the thread works; null if there is none. */
  evaluation: z.string().nullable(),
  cpuMs: z.number().nullable(),
});

/** The frames of a thread, innermost first. A thread does not respond while it runs code that cannot be interrupted. */
export const threadFrames = z.object({
  found: z.boolean(),
  answered: z.boolean(),
  frames: z.array(z.object({ index: z.int(), call: z.string() })),
  /** The number of omitted frames. */
  more: z.int().nonnegative(),
});

export type MemoryReport = z.infer<typeof memoryReport>;
export type HeldObject = z.infer<typeof heldObject>;
export type RootPath = z.infer<typeof rootPath>;
export type ThreadRecord = z.infer<typeof threadRecord>;
export type ThreadFrames = z.infer<typeof threadFrames>;
export type TracedCall = z.infer<typeof tracedCall>;

/** The maximum number of stacks, and of functions, in a profile. With stacks of 200 frames the reply has a few megabytes. */
export const STACKS = 500;

export const profileCalls = {
  /**
   * Queues code and runs it when its turn comes; the last form is profiled by sampling. A null package means the REPL's current package.
   */
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
  /** Starts sampling all threads of a REPL's image. If that fails, `problem` gives the reason. */
  'profile.start': {
    asks: 'start-profile',
    input: z.object({ repl: replId, mode: profileMode }),
    output: z.object({ problem: z.string().nullable() }).nullable(),
  },
  /** Stops sampling and returns the profile; null if no samples were taken. */
  'profile.stop': {
    asks: 'stop-profile',
    with: { limit: STACKS },
    input: z.object({ repl: replId }),
    output: z.object({ profile: profileResult.nullable() }).nullable(),
  },
  /** Returns how long all threads have been sampled; null if sampling is off. */
  'profile.state': {
    asks: 'profile-state',
    input: z.object({ repl: replId }),
    output: z.object({ elapsedMs: z.number().nullable() }).nullable(),
  },
} as const;
