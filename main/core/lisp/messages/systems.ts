/** ASDF systems: what is in reach, what it is made of, loading, compiling and testing it. */
import { z } from 'zod';
import { systemCompilation } from '#contract/compilation.ts';
import {
  libraryKind,
  libraryRecord,
  systemDescription,
  systemGraph,
  systemRecord,
  testOutcome,
} from '#contract/system.ts';
import { runReply, runRequest } from './run.ts';

export const systemMessages = {
  /** Whether ASDF finds the systems of the folder that the image was started in; an image begins with yes. */
  'trust-project': { lane: 'control', request: z.object({ trusted: z.boolean() }), reply: z.object({}) },
  /** Load an ASDF (or Quicklisp, when present) system; output and `system-progress` arrive as events of `evaluation`. */
  'load-system': {
    lane: 'worker',
    request: runRequest.extend({
      system: z.string(),
      /** Also what is up to date: the system's own files, or everything that it needs. */
      force: z.enum(['system', 'all']).nullable().optional(),
    }),
    reply: runReply(
      z.object({
        name: z.string(),
        version: z.string().nullable(),
        /** Those that were not loaded before, with the dependencies. */
        loadedSystems: z.array(z.string()),
        actionsDone: z.int().nonnegative(),
      }),
    ),
  },
  /** Compile and load a system with all that the compiler says of its own files. A run that failed still has its `result`. */
  'compile-system': {
    lane: 'worker',
    request: runRequest.extend({
      system: z.string(),
      /** Also compiles files that are up to date: of those the compiler has nothing to say otherwise. */
      force: z.boolean(),
    }),
    reply: runReply(systemCompilation),
  },
  /** Run a system's tests as ASDF does. */
  'test-system': {
    lane: 'worker',
    request: runRequest.extend({ system: z.string() }),
    reply: runReply(testOutcome),
  },
  /** What a system's definition says; runs its .asd file. */
  'describe-system': {
    lane: 'worker',
    request: runRequest.extend({ name: z.string() }),
    reply: runReply(systemDescription),
  },
  /** What a system needs, and that in turn; runs their .asd files. */
  'system-graph': {
    lane: 'worker',
    request: runRequest.extend({ name: z.string() }),
    reply: runReply(systemGraph),
  },
  /** Load the set-up of Quicklisp or qlot, or let ASDF see what ocicl brought. `path` as `systems` told it. */
  'activate-libraries': {
    lane: 'worker',
    request: runRequest.extend({ kind: libraryKind, path: z.string() }),
    reply: runReply(z.object({ kind: libraryKind, path: z.string(), quicklisp: z.boolean() })),
  },
  /** ASDF systems in reach by name, from texts and the source registry, without running their files. */
  systems: {
    lane: 'looking-up',
    request: z.object({}),
    reply: z.object({
      systems: z.array(systemRecord),
      quicklisp: z.boolean(),
      /** What was found of library tools, whether or not the image uses it. */
      libraries: z.array(libraryRecord),
    }),
  },
} as const;
