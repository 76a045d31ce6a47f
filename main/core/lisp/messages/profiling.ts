/** Tools for observing running code: tracing, time, memory and threads. */
import { z } from 'zod';
import {
  collection,
  heldInstances,
  memoryReport,
  profileMode,
  profileResult,
  rootPaths,
  threadFrames,
  threadRecord,
  timingResult,
} from '#contract/image/observation/profiling.ts';
import { contextId, runReply, runRequest } from './run.ts';

const inPackage = z.object({ context: contextId, package: z.string().nullable() });
/** The names of traced functions, as prin1 prints them from CL-USER; methods as `(METHOD AREA (SHAPE))`. */
const traced = z.array(z.string());

export const profilingMessages = {
  /**
   * Reports the calls of functions as `trace` events. With `methods`, also reports the calls of the methods that the generic functions have
   * now.
   */
  trace: {
    lane: 'looking-up',
    changes: true,
    request: inPackage.extend({ functions: z.array(z.string()), methods: z.boolean() }),
    reply: z.object({ traced, problems: z.array(z.object({ name: z.string(), reason: z.string() })) }),
  },
  /** Ends the tracing of functions, and of their methods; null for all functions. */
  untrace: {
    lane: 'looking-up',
    changes: true,
    request: inPackage.extend({ functions: z.array(z.string()).nullable() }),
    reply: z.object({ traced }),
  },
  traced: {
    lane: 'looking-up',
    changes: false,
    request: z.object({}),
    reply: z.object({ traced }),
  },
  /** Runs `code` and samples the last form; the forms before the last one are preparation. */
  profile: {
    lane: 'worker',
    request: runRequest.extend({
      code: z.string(),
      package: z.string().nullable(),
      /** The quantity to sample: CPU time, memory, or elapsed time. */
      mode: profileMode,
      intervalMs: z.number().positive().nullable(),
      /** The maximum number of stacks, and of functions, to send. */
      limit: z.int().positive(),
    }),
    reply: runReply(profileResult),
  },
  /** Starts to sample all threads, regardless of their actor; `problem` says why this failed. */
  'start-profile': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ mode: profileMode }),
    reply: z.object({ problem: z.string().nullable() }),
  },
  /** Ends the profile of all threads. Stacks begin with `all threads` and the thread. The result is null if no profile was running. */
  'stop-profile': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ limit: z.int().positive() }),
    reply: z.object({ profile: profileResult.nullable() }),
  },
  /** Returns how long a profile of all threads has been running; null if there is none. */
  'profile-state': {
    lane: 'looking-up',
    changes: false,
    request: z.object({}),
    reply: z.object({ elapsedMs: z.number().nullable() }),
  },
  /** Compiles the last form of `code`, runs it `runs` times, and measures each run. */
  'time-form': {
    lane: 'worker',
    request: runRequest.extend({
      code: z.string(),
      package: z.string().nullable(),
      runs: z.int().positive().max(1000),
    }),
    reply: runReply(timingResult),
  },
  'memory-report': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ /** The maximum number of types to send. */ limit: z.int().positive() }),
    reply: memoryReport,
  },
  /**
   * Returns the direct instances of a class in memory; at most the first 1000 get handles. Objects such as lists do not count as instances.
   */
  instances: {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({ class: z.string(), holder: z.string(), limit: z.int().positive() }),
    reply: heldInstances,
  },
  /** Returns the reference paths that prevent an object from being collected; empty if only the object's handle prevents that. */
  'why-alive': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ handle: z.int(), holder: z.string() }),
    reply: rootPaths,
  },
  gc: {
    lane: 'worker',
    request: runRequest.extend({ full: z.boolean() }),
    reply: runReply(collection),
  },
  threads: {
    lane: 'looking-up',
    changes: false,
    request: z.object({}),
    reply: z.object({ threads: z.array(threadRecord) }),
  },
  'thread-backtrace': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ /** The thread's id. */ thread: z.int(), limit: z.int().positive() }),
    reply: threadFrames,
  },
  /** Ends a thread that user code created; `refused` is the reason why the thread cannot be ended. */
  'end-thread': {
    lane: 'looking-up',
    changes: true,
    request: z.object({ thread: z.int() }),
    reply: z.object({ found: z.boolean(), refused: z.string().nullable() }),
  },
} as const;
