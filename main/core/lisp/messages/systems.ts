/** ASDF systems: what is in reach, what it is made of, loading, compiling and testing it. */
import { z } from 'zod';
import { systemCompilation } from '#contract/image/compilation.ts';
import {
  forcedPart,
  libraryKind,
  libraryRecord,
  outdatedSystem,
  systemDescription,
  systemGraph,
  systemRecord,
  testOutcome,
} from '#contract/image/system.ts';
import { contextId, runReply, runRequest } from './run.ts';

export const systemMessages = {
  /**
   * Sets whether ASDF finds the systems of the project's folder: the one that the image was started in, or `directory` from now on, which then
   * is its current directory, too. A new image finds them.
   */
  'trust-project': {
    lane: 'control',
    changes: true,
    request: z.object({ trusted: z.boolean(), directory: z.string().optional() }),
    reply: z.object({}),
  },
  /** Load an ASDF (or Quicklisp, when present) system; output and `system-progress` arrive as events of `evaluation`. */
  'load-system': {
    lane: 'worker',
    request: runRequest.extend({
      system: z.string(),
      /** Loads even files that are up to date: the system's own files, or everything that it needs. */
      force: forcedPart.nullable().optional(),
      /** Systems that must not be loaded with it: the load fails where it needs one that is not loaded. */
      without: z.array(z.string()).optional(),
    }),
    reply: runReply(
      z.object({
        name: z.string(),
        version: z.string().nullable(),
        /** The systems that were not loaded before, with the dependencies. */
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
      /** Systems that must not be loaded with it. */
      without: z.array(z.string()).optional(),
      /** Compiles even files that are up to date, about which the compiler would say nothing otherwise: the system's, or all that it needs. */
      force: forcedPart.nullable(),
      /** Leaves a file behind that does not compile or load, and goes on with the others, so that all faults are told at once. */
      keepGoing: z.boolean().optional(),
    }),
    reply: runReply(systemCompilation),
  },
  /** Run a system's tests as ASDF does; with `only` the tests of these names, where the framework is FiveAM. */
  'test-system': {
    lane: 'worker',
    request: runRequest.extend({ system: z.string(), only: z.array(z.string()).optional() }),
    reply: runReply(testOutcome),
  },
  /** Describes a system by its definition; runs its .asd file. */
  'describe-system': {
    lane: 'worker',
    request: runRequest.extend({ name: z.string() }),
    reply: runReply(systemDescription),
  },
  /**
   * Tells the dependencies of a system, and theirs in turn, and what depends on it; of all the project's systems where `name` is null. Runs
   * their .asd files, and those of the project.
   */
  'system-graph': {
    lane: 'worker',
    request: runRequest.extend({ name: z.string().nullable() }),
    reply: runReply(systemGraph),
  },
  /** Load the set-up of Quicklisp or qlot, or let ASDF see what ocicl brought. `path` as `systems` told it. */
  'activate-libraries': {
    lane: 'worker',
    request: runRequest.extend({ kind: libraryKind, path: z.string() }),
    reply: runReply(z.object({ kind: libraryKind, path: z.string(), quicklisp: z.boolean() })),
  },
  /** The loaded systems that a load would bring up to date, each after those that it depends on; looks at the dates of files alone. */
  'outdated-systems': {
    lane: 'looking-up',
    changes: false,
    request: z.object({}),
    reply: z.object({ systems: z.array(outdatedSystem) }),
  },
  /**
   * ASDF systems in reach by name, from texts and the source registry, without running their files. The registry is that of `context`; the
   * person's without one.
   */
  systems: {
    lane: 'looking-up',
    changes: false,
    request: z.object({ context: contextId.optional() }),
    reply: z.object({
      systems: z.array(systemRecord),
      quicklisp: z.boolean(),
      /** The library tools that were found, whether or not the image uses it. */
      libraries: z.array(libraryRecord),
    }),
  },
} as const;
