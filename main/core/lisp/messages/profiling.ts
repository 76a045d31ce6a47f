/** Tools for running code: calls, time, memory, threads. */
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
/** The names of what is traced, as prin1 prints them from CL-USER; methods as `(METHOD AREA (SHAPE))`. */
const traced = z.array(z.string());

export const profilingMessages = {
  /** Tell the calls of functions as `trace` events; with `methods` also those of the methods that generic functions have now. */
  trace: {
    lane: 'looking-up',
    changes: true,
    request: inPackage.extend({ functions: z.array(z.string()), methods: z.boolean() }),
    reply: z.object({ traced, problems: z.array(z.object({ name: z.string(), reason: z.string() })) }),
  },
  /** Ends the tracing of functions; null for all of them. A function's methods go with it. */
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
  /** Run `code` and sample its last form: those before it prepare. */
  profile: {
    lane: 'worker',
    request: runRequest.extend({
      code: z.string(),
      package: z.string().nullable(),
      /** Time on the processor, memory, or time that passes. */
      mode: profileMode,
      intervalMs: z.number().positive().nullable(),
      /** The most stacks, and the most functions, to send. */
      limit: z.int().positive(),
    }),
    reply: runReply(profileResult),
  },
  /** Sample all threads from now on, whoever runs what; `problem` says why not. */
  'start-profile': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ mode: profileMode }),
    reply: z.object({ problem: z.string().nullable() }),
  },
  /** End the profile of all threads. Stacks begin with `all threads` and the thread; null where none was taken. */
  'stop-profile': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ limit: z.int().positive() }),
    reply: z.object({ profile: profileResult.nullable() }),
  },
  /** Tells for how long a profile of all threads is being taken; null where none is. */
  'profile-state': {
    lane: 'looking-up',
    changes: false,
    request: z.object({}),
    reply: z.object({ elapsedMs: z.number().nullable() }),
  },
  /** Run the last form of `code`, compiled, as often as `runs` says, and measure each time. */
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
    request: z.object({ /** The most types to send. */ limit: z.int().positive() }),
    reply: memoryReport,
  },
  /** Objects of a class itself that are in memory; the first 1000 at most get handles. There are none of what is no instance, such as a list. */
  instances: {
    lane: 'looking-up',
    changes: false,
    request: inPackage.extend({ class: z.string(), holder: z.string(), limit: z.int().positive() }),
    reply: heldInstances,
  },
  /** Finds the paths that keep an object from being collected; there are none when its handle alone does. */
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
  /** End a thread that code has made; `refused` says why not. */
  'end-thread': {
    lane: 'looking-up',
    changes: true,
    request: z.object({ thread: z.int() }),
    reply: z.object({ found: z.boolean(), refused: z.string().nullable() }),
  },
} as const;
