/** ASDF systems: finding, describing, loading, compiling and testing them. */
import { z } from 'zod';
import { systemCompilation } from '#contract/image/compilation.ts';
import { libraryKind, libraryTool, soughtRelease, wantedRelease } from '#contract/image/library-tool.ts';
import {
  forcedPart,
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
   * Sets whether ASDF finds the systems in the project's folder, which is the folder in which the image was started, or `directory`. If
   * `directory` is given, it also becomes the current directory. A new image finds the systems.
   */
  'trust-project': {
    lane: 'control',
    changes: true,
    request: z.object({ trusted: z.boolean(), directory: z.string().optional() }),
    reply: z.object({}),
  },
  /** Loads a system with ASDF, or with Quicklisp if the image has it. Output and `system-progress` arrive as events of `evaluation`. */
  'load-system': {
    lane: 'worker',
    request: runRequest.extend({
      system: z.string(),
      /** Selects the files that are loaded even if they are up to date: only those of the system, or also those of all its dependencies. */
      force: forcedPart.nullable().optional(),
      /** Systems that must not be loaded together with this one. The load fails if it requires one of them that is not loaded yet. */
      without: z.array(z.string()).optional(),
      /** True to install nothing that is missing. */
      onlyInstalled: z.boolean().optional(),
    }),
    reply: runReply(
      z.object({
        name: z.string(),
        version: z.string().nullable(),
        /** The newly loaded systems, including dependencies. */
        loadedSystems: z.array(z.string()),
        /** The projects of dists that were installed before the load. */
        installed: z.array(z.string()),
        actionsDone: z.int().nonnegative(),
      }),
    ),
  },
  /**
   * Installs a library and everything that it needs, without loading it. In a project of qlot or ocicl, runs the tool's `program`; otherwise
   * `installed` has the projects whose releases were installed. A dry run does neither: `planned` has the releases that would be installed,
   * and `installed` the projects that are needed and installed.
   */
  'install-library': {
    lane: 'worker',
    request: runRequest.extend({ name: z.string(), dryRun: z.boolean().optional() }),
    reply: runReply(
      z.object({
        name: z.string(),
        program: z.string().nullable(),
        installed: z.array(z.string()),
        planned: z.array(wantedRelease.extend({ licence: z.string().nullable() })),
      }),
    ),
  },
  /**
   * Compiles and loads a system, and returns the compiler's diagnostics for the system's own files. A run that failed still has its
   * `result`.
   */
  'compile-system': {
    lane: 'worker',
    request: runRequest.extend({
      system: z.string(),
      /** Systems that must not be loaded together with this one. */
      without: z.array(z.string()).optional(),
      /**
       * Selects the files that are compiled even if they are up to date: only those of the system, or also those of all its dependencies.
       * The compiler reports nothing about files that it does not compile.
       */
      force: forcedPart.nullable(),
      /** True to skip a file that does not compile or load and continue with the others, so that all problems are reported at once. */
      keepGoing: z.boolean().optional(),
    }),
    reply: runReply(systemCompilation),
  },
  /** Runs a system's tests with ASDF's TEST-SYSTEM. With `only`, runs only the tests with these names, if the framework is FiveAM. */
  'test-system': {
    lane: 'worker',
    request: runRequest.extend({ system: z.string(), only: z.array(z.string()).optional() }),
    reply: runReply(testOutcome),
  },
  /** Describes a system based on its definition; runs its .asd file. */
  'describe-system': {
    lane: 'worker',
    request: runRequest.extend({ name: z.string() }),
    reply: runReply(systemDescription),
  },
  /**
   * Returns the direct and indirect dependencies of a system, and the systems that depend on it. If `name` is null, does so for all systems
   * of the project. Runs the .asd files of these systems and of the project.
   */
  'system-graph': {
    lane: 'worker',
    request: runRequest.extend({ name: z.string().nullable() }),
    reply: runReply(systemGraph),
  },
  /**
   * Makes a new image use its library tool: `preferred`, if its file still exists, otherwise the tool with precedence, in the project's folder
   * only if the folder is `trusted`. `tool` is null if there is none.
   */
  'set-up-libraries': {
    lane: 'worker',
    request: runRequest.extend({
      preferred: libraryTool.nullable(),
      trusted: z.boolean(),
      /** True if the core installs the releases that a Quicklisp client lacks too; a client on a target installs them itself. */
      clientsToo: z.boolean(),
      /** The folder in which the core installs releases, and in which ASDF finds them, for an image without a Quicklisp client. */
      distHome: z.string(),
    }),
    reply: runReply(z.object({ tool: libraryTool.nullable() })),
  },
  /**
   * Answers `libraries-sought` and `libraries-wanted`. `problem` is null if the releases were found, or if they are installed. `installed`:
   * the projects that are needed too, and installed. `found` is false if the code no longer waits.
   */
  'settle-libraries': {
    lane: 'control',
    changes: false,
    request: z.object({
      request: z.string(),
      problem: z.string().nullable(),
      releases: z.array(soughtRelease),
      installed: z.array(z.string()),
      /** The version to which a dist changes; null if it has that version, or for other requests. */
      version: z.string().nullable(),
      /** Texts about what changes, each with a name and a colon. */
      notes: z.array(z.string()),
    }),
    reply: z.object({ found: z.boolean() }),
  },
  /**
   * Loads the setup file of Quicklisp or qlot, or makes the systems from ocicl visible to ASDF. `path` is one of the paths that `systems`
   * returned.
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
   * Returns the ASDF systems that can be found, by name. Reads source texts and the source registry, but does not run the systems' files.
   * Uses the registry of `context`, or the person's if `context` is omitted.
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
