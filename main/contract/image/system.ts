/** ASDF systems that the image can find. */
import { z } from 'zod';
import { libraryKind, libraryTool } from './library-tool.ts';
import { definitionSource } from './definition.ts';
import { systemCompilation } from './compilation.ts';

export const systemRecord = z.object({
  name: z.string(),
  loaded: z.boolean(),
  /** The number of files of a loaded system that are new, failed, or have changed since they were loaded. */
  changed: z.int().nonnegative(),
  version: z.string().nullable(),
  /** The absolute path of the .asd file. */
  file: z.string().nullable(),
  /** The source of the system: the project's folders, ASDF's source registry, or a library tool. */
  origin: z.enum(['project', 'registry', 'quicklisp', 'qlot', 'ocicl']),
  /** The error in the .asd file, found without running it; null if there is none. */
  broken: z.string().nullable(),
});

/** A library tool that the image found; it is active if the image uses it. */
export const libraryRecord = libraryTool.extend({ active: z.boolean() });

/** A component of a system. A module's children follow it, with a `depth` greater by one. */
const systemComponent = z.object({
  name: z.string(),
  kind: z.enum(['module', 'file', 'static-file', 'other']),
  file: z.string().nullable(),
  depth: z.int().nonnegative(),
  /** The state of a Lisp file: `new` is not loaded, `changed` has been modified since it was loaded; null for other components. */
  state: z.enum(['loaded', 'changed', 'failed', 'new']).nullable(),
});

/** A system as its definition describes it. If the definition fails, `problem` gives the reason and the other fields are empty. */
export const systemDescription = z.object({
  name: z.string(),
  description: z.string().nullable(),
  longDescription: z.string().nullable(),
  longName: z.string().nullable(),
  author: z.string().nullable(),
  maintainer: z.string().nullable(),
  license: z.string().nullable(),
  version: z.string().nullable(),
  homepage: z.string().nullable(),
  dependsOn: z.array(z.string()),
  weaklyDependsOn: z.array(z.string()),
  defsystemDependsOn: z.array(z.string()),
  /** The components, at most 1000. */
  components: z.array(systemComponent),
  moreComponents: z.int().nonnegative(),
  file: z.string().nullable(),
  loaded: z.boolean(),
  /** The systems that depend on this one, among those whose definitions have been read. */
  dependents: z.array(z.string()),
  problem: z.object({ type: z.string(), message: z.string() }).nullable(),
});

/** The files that are loaded even if they are up to date: only the system's files, or also those of all its dependencies. */
export const forcedPart = z.enum(['system', 'all']);

/** A loaded system that a load would update. */
export const outdatedSystem = z.object({
  name: z.string(),
  /** The absolute paths of its changed files, at most 200. */
  files: z.array(z.string()),
  /** The outdated systems among the dependencies of this system. */
  causes: z.array(z.string()),
});

/** The dependencies and dependents of the requested systems, in breadth-first order. */
export const systemGraph = z.object({
  /** The requested systems. */
  from: z.array(z.string()),
  nodes: z.array(
    z.object({
      name: z.string(),
      /**
       * The state of a system. `changed`: loaded, but modified since; `failed`: a file failed; `defined`: not loaded, but can be loaded;
       * `broken`: its definition does not work, see `problem`.
       */
      state: z.enum(['loaded', 'changed', 'failed', 'defined', 'missing', 'broken']),
      version: z.string().nullable(),
      /** The absolute path of the .asd file. */
      file: z.string().nullable(),
      /** The number of changed files of a loaded system. */
      changed: z.int().nonnegative(),
      problem: z.string().nullable(),
    }),
  ),
  edges: z.array(z.object({ from: z.string(), to: z.string(), kind: z.enum(['depends', 'weakly', 'defsystem']) })),
  /** The number of references to other systems that are left out because there are more than 300. */
  more: z.int().nonnegative(),
});

/** The result of a system's tests. The counts of checks are null if no known framework ran. */
export const testOutcome = z.object({
  name: z.string(),
  /** True if the system defines how to test it; otherwise nothing ran. */
  hasTests: z.boolean(),
  /** True if no failure occurred and no error ended the tests. */
  success: z.boolean(),
  /** The framework whose tests ran; null if none was found. */
  framework: z.string().nullable(),
  /**
   * The number of tests that ran; null if no framework was found, 0 if a framework was loaded but ran no test. The next field counts the
   * failed ones in the same way.
   */
  ran: z.int().nonnegative().nullable(),
  failing: z.int().nonnegative().nullable(),
  /** The exit code with which the tests tried to end the image; null if they did not try. */
  exit: z.int().nullable(),
  /** The number of passed checks, not of tests. */
  passed: z.int().nonnegative().nullable(),
  failed: z.int().nonnegative().nullable(),
  skipped: z.int().nonnegative().nullable(),
  /** The number of failed tests that were expected to fail by their author. */
  expected: z.int().nonnegative().nullable(),
  total: z.int().nonnegative().nullable(),
  /** The failures, at most 200. */
  failures: z.array(z.object({ test: z.string(), reason: z.string(), source: definitionSource.nullable() })),
});

/** The progress of ASDF in loading or compiling a system. */
export const systemProgress = z.object({
  evaluation: z.string(),
  system: z.string(),
  done: z.int().nonnegative(),
  /** The total number of steps. It grows during the load if more steps turn out to be needed. */
  total: z.int().nonnegative(),
  /** The action that is starting now. */
  action: z.enum(['compile', 'load', 'other']),
  /** The path of the component below the system, separated by slashes. */
  component: z.string(),
});

/** A running or finished load; `output` is the stored end of its output. */
export const systemLoad = z.object({
  evaluation: z.string(),
  system: z.string(),
  actor: z.string(),
  /** The state of the load. `gone`: the image into which the system was loaded no longer exists or was rewound to an earlier state. */
  state: z.enum(['waiting', 'loading', 'loaded', 'failed', 'cancelled', 'gone']),
  /** A sentence about the loaded files, or the reason why the load failed. */
  message: z.string().nullable(),
});

export type ForcedPart = z.infer<typeof forcedPart>;
export type LibraryRecord = z.infer<typeof libraryRecord>;
export type SystemGraph = z.infer<typeof systemGraph>;
export type SystemRecord = z.infer<typeof systemRecord>;
export type SystemLoad = z.infer<typeof systemLoad>;
export type SystemDescription = z.infer<typeof systemDescription>;
export type SystemProgress = z.infer<typeof systemProgress>;
export type TestOutcome = z.infer<typeof testOutcome>;

const systemName = z.string().min(1).max(200);
const runId = z.string().min(8).max(64);

/** An operation on a system, with a unique id, which the page chooses. */
const systemRun = z.object({ system: systemName, evaluation: runId });

export const systemCalls = {
  'systems.list': {
    input: z.object({}),
    /** `libraries`: the sources of other systems, both active and available ones. */
    output: z.object({
      systems: z.array(systemRecord),
      quicklisp: z.boolean(),
      libraries: z.array(libraryRecord),
    }),
  },
  /**
   * Loads those files of a system that are new or have changed. With `force`, loads all files of the system, or also all files of its
   * dependencies.
   */
  'systems.load': {
    input: systemRun.extend({ force: forcedPart.nullable() }),
    /** `compilation`: the compiler's diagnostics for the system's own files; null if ASDF did not reach these files. */
    output: z.object({ load: systemLoad, compilation: systemCompilation.nullable() }),
  },
  /** Returns the loaded systems that a load would update, dependencies first. */
  'systems.outdated': { input: z.object({}), output: z.object({ systems: z.array(outdatedSystem) }) },
  /** Describes a system from its definition. Runs the system's .asd file when the call's turn in the queue comes. */
  'systems.describe': { input: systemRun, output: systemDescription },
  /**
   * Returns the dependencies and dependents of a system, or of all the project's systems. Runs their .asd files when the call's turn in the
   * queue comes.
   */
  'systems.graph': { input: z.object({ system: systemName.nullable(), evaluation: runId }), output: systemGraph },
  /** Runs a system's tests when the call's turn in the queue comes; their output arrives as `output` events. */
  'systems.test': { input: systemRun, output: testOutcome },
  /** Makes the image use one of the `libraries` that `systems.list` returned, when the call's turn in the queue comes. */
  'systems.useLibrary': {
    input: z.object({ kind: libraryKind, path: z.string().min(1).max(4096), evaluation: runId }),
    output: z.object({}),
  },
} as const;
