/** ASDF systems: finding, describing, loading, compiling and testing them. */
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
   * Sets whether ASDF finds the systems in the project's folder. The folder is the one that the image was started in, or `directory` from
   * now on, which also becomes the current directory. A new image finds them.
   */
  'trust-project': {
    lane: 'control',
    changes: true,
    request: z.object({ trusted: z.boolean(), directory: z.string().optional() }),
    reply: z.object({}),
  },
  /** Loads a system by ASDF, or by Quicklisp if present. Output and `system-progress` arrive as events of `evaluation`. */
  'load-system': {
    lane: 'worker',
    request: runRequest.extend({
      system: z.string(),
      /** Loads files even if they are up to date: the system's own files, or also those of all its dependencies. */
      force: forcedPart.nullable().optional(),
      /** Systems that must not be loaded with it. The load fails if it requires one that is not loaded. */
      without: z.array(z.string()).optional(),
    }),
    reply: runReply(
      z.object({
        name: z.string(),
        version: z.string().nullable(),
        /** The newly loaded systems, including dependencies. */
        loadedSystems: z.array(z.string()),
        actionsDone: z.int().nonnegative(),
      }),
    ),
  },
  /** Compiles and loads a system, and returns the compiler's diagnostics for its own files. A run that failed still has its `result`. */
  'compile-system': {
    lane: 'worker',
    request: runRequest.extend({
      system: z.string(),
      /** Systems that must not be loaded with it. */
      without: z.array(z.string()).optional(),
      /**
       * Compiles files even if they are up to date, because the compiler would otherwise report nothing about them: the system's files, or
       * also those of all its dependencies.
       */
      force: forcedPart.nullable(),
      /** Skips a file that does not compile or load and continues with the others, so that all problems are reported at once. */
      keepGoing: z.boolean().optional(),
    }),
    reply: runReply(systemCompilation),
  },
  /** Runs a system's tests as ASDF does; with `only` the tests of these names, if the framework is FiveAM. */
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
   * Returns the direct and indirect dependencies of a system and the systems that depend on it; for all systems of the project if `name` is
   * null. Runs their .asd files, and the project's.
   */
  'system-graph': {
    lane: 'worker',
    request: runRequest.extend({ name: z.string().nullable() }),
    reply: runReply(systemGraph),
  },
  /**
   * Loads the setup file of Quicklisp or qlot, or makes the systems from ocicl visible to ASDF. `path` is a path that `systems` returned.
   */
  'activate-libraries': {
    lane: 'worker',
    request: runRequest.extend({ kind: libraryKind, path: z.string() }),
    reply: runReply(z.object({ kind: libraryKind, path: z.string(), quicklisp: z.boolean() })),
  },
  /** Returns the loaded systems that a load would update, each after its dependencies. Checks only file dates. */
  'outdated-systems': {
    lane: 'looking-up',
    changes: false,
    request: z.object({}),
    reply: z.object({ systems: z.array(outdatedSystem) }),
  },
  /**
   * Returns the ASDF systems that can be found, by name. Uses source texts and the source registry, and does not run the systems' files.
   * The registry is the one of `context`; the person's if omitted.
   */
  systems: {
    lane: 'looking-up',
    changes: false,
    request: z.object({ context: contextId.optional() }),
    reply: z.object({
      systems: z.array(systemRecord),
      quicklisp: z.boolean(),
      /** The library tools that were found, whether or not the image uses them. */
      libraries: z.array(libraryRecord),
    }),
  },
} as const;
