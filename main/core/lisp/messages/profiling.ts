/** Tools for running code: calls, time, memory, threads. */
import { z } from 'zod';
import {
  heldObject,
  memoryReport,
  profileMode,
  profileResult,
  rootPath,
  threadRecord,
  timingResult,
} from '#contract/profiling.ts';
import { contextId, runReply, runRequest } from './run.ts';

const inPackage = z.object({ context: contextId, package: z.string().nullable() });
/** The names of what is traced, as prin1 prints them from CL-USER; methods as `(METHOD AREA (SHAPE))`. */
const traced = z.array(z.string());

export const profilingMessages = {
  /** Tell the calls of functions as `trace` events; with `methods` also those of the methods that generic functions have now. */
  trace: {
    lane: 'looking-up',
    request: inPackage.extend({ functions: z.array(z.string()), methods: z.boolean() }),
    reply: z.object({ traced, problems: z.array(z.object({ name: z.string(), reason: z.string() })) }),
  },
  /** No longer; null is all of them. A function's methods go with it. */
  untrace: {
    lane: 'looking-up',
    request: inPackage.extend({ functions: z.array(z.string()).nullable() }),
    reply: z.object({ traced }),
  },
  traced: {
    lane: 'looking-up',
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
      /** Of stacks and of functions. */
      limit: z.int().positive(),
    }),
    reply: runReply(profileResult),
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
    request: z.object({}),
    reply: memoryReport,
  },
  /** Objects of a class that are in memory; the first 1000 at most get handles. */
  instances: {
    lane: 'looking-up',
    request: inPackage.extend({ class: z.string(), holder: z.string(), limit: z.int().positive() }),
    reply: z.object({ found: z.boolean(), total: z.int().nonnegative(), instances: z.array(heldObject) }),
  },
  /** What keeps an object from being collected; no paths when nothing but its handle does. */
  'why-alive': {
    lane: 'looking-up',
    request: z.object({ handle: z.int(), holder: z.string() }),
    reply: z.object({ expired: z.boolean(), paths: z.array(rootPath) }),
  },
  gc: {
    lane: 'worker',
    request: runRequest.extend({ full: z.boolean() }),
    reply: runReply(z.object({ before: z.number(), after: z.number(), ms: z.number() })),
  },
  threads: {
    lane: 'looking-up',
    request: z.object({}),
    reply: z.object({ threads: z.array(threadRecord) }),
  },
  /** What a thread does, innermost first. It does not answer while it runs what cannot be interrupted. */
  'thread-backtrace': {
    lane: 'looking-up',
    request: z.object({ /** Its id. */ thread: z.int(), limit: z.int().positive() }),
    reply: z.object({
      found: z.boolean(),
      answered: z.boolean(),
      frames: z.array(z.object({ index: z.int(), call: z.string() })),
      more: z.int().nonnegative(),
    }),
  },
  /** End a thread that code has made; `refused` says why not. */
  'end-thread': {
    lane: 'looking-up',
    request: z.object({ thread: z.int() }),
    reply: z.object({ found: z.boolean(), refused: z.string().nullable() }),
  },
} as const;
