/** ASDF systems in reach of the image. */
import { z } from 'zod';
import { definitionSource } from './definition.ts';
import { systemCompilation } from './compilation.ts';

export const systemRecord = z.object({
  name: z.string(),
  loaded: z.boolean(),
  /** Files of a loaded system that were changed since, or made, or that failed. */
  changed: z.int().nonnegative(),
  version: z.string().nullable(),
  /** Absolute path of the .asd file. */
  file: z.string().nullable(),
  /** The source of the system: the project's folders, ASDF's source registry, or what a library tool keeps. */
  origin: z.enum(['project', 'registry', 'quicklisp', 'qlot', 'ocicl']),
  /** The fault of the file as far as its text tells; null when there is none. */
  broken: z.string().nullable(),
});

export const libraryKind = z.enum(['quicklisp', 'qlot', 'ocicl']);

/** Something that could give systems to the image; it is active once it was loaded. */
export const libraryRecord = z.object({
  kind: libraryKind,
  /** The set-up file of Quicklisp or qlot, the folder of ocicl. */
  path: z.string(),
  active: z.boolean(),
});

/** A part of a system; children follow their module, one deeper. */
const systemComponent = z.object({
  name: z.string(),
  kind: z.enum(['module', 'file', 'static-file', 'other']),
  file: z.string().nullable(),
  depth: z.int().nonnegative(),
  /** The state of a Lisp file: `new` is not loaded, `changed` has another text since; null for other components. */
  state: z.enum(['loaded', 'changed', 'failed', 'new']).nullable(),
});

/** A system as its definition describes it. When the definition does not work, `problem` tells why and the rest is empty. */
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
  /** Among the systems whose definitions were read already. */
  dependents: z.array(z.string()),
  problem: z.object({ type: z.string(), message: z.string() }).nullable(),
});

/** The part that a load loads although it is up to date: the system, or all that it needs. */
export const forcedPart = z.enum(['system', 'all']);

/** A loaded system that a load would bring up to date. */
export const outdatedSystem = z.object({
  name: z.string(),
  /** Absolute paths of its changed files, at most 200. */
  files: z.array(z.string()),
  /** The outdated systems that it depends on. */
  causes: z.array(z.string()),
});

/** Systems with what they depend on and what depends on them, breadth first from those that were asked about. */
export const systemGraph = z.object({
  /** The systems that were asked about. */
  from: z.array(z.string()),
  nodes: z.array(
    z.object({
      name: z.string(),
      /**
       * `changed`: loaded, and changed since; `failed`: a file failed; `defined`: it could be loaded; `broken`: its definition does not
       * work, see `problem`.
       */
      state: z.enum(['loaded', 'changed', 'failed', 'defined', 'missing', 'broken']),
      version: z.string().nullable(),
      /** Absolute path of the .asd file. */
      file: z.string().nullable(),
      /** Changed files of a loaded system. */
      changed: z.int().nonnegative(),
      problem: z.string().nullable(),
    }),
  ),
  edges: z.array(z.object({ from: z.string(), to: z.string(), kind: z.enum(['depends', 'weakly', 'defsystem']) })),
  /** References to systems that were left out beyond 300. */
  more: z.int().nonnegative(),
});

/** The outcome of a system's tests. The counts of checks are null where no framework that is known ran. */
export const testOutcome = z.object({
  name: z.string(),
  /** True when the system says what testing it means; otherwise nothing ran. */
  hasTests: z.boolean(),
  /** True when no failure was seen and no error ended the tests. */
  success: z.boolean(),
  /** The framework whose tests ran. */
  framework: z.string().nullable(),
  /** Tests that ran and tests that failed; null where no framework was seen. 0 where one was loaded and ran none. */
  ran: z.int().nonnegative().nullable(),
  failing: z.int().nonnegative().nullable(),
  /** The code with which the tests wanted to end the image; null where they did not. */
  exit: z.int().nullable(),
  /** Checks, not tests. */
  passed: z.int().nonnegative().nullable(),
  failed: z.int().nonnegative().nullable(),
  skipped: z.int().nonnegative().nullable(),
  /** Tests that failed as their author says that they do. */
  expected: z.int().nonnegative().nullable(),
  total: z.int().nonnegative().nullable(),
  /** The failures, at most 200. */
  failures: z.array(z.object({ test: z.string(), reason: z.string(), source: definitionSource.nullable() })),
});

/** The progress of ASDF with a system. */
export const systemProgress = z.object({
  evaluation: z.string(),
  system: z.string(),
  done: z.int().nonnegative(),
  /** Grows when a step turns out to need more. */
  total: z.int().nonnegative(),
  /** The action that begins now. */
  action: z.enum(['compile', 'load', 'other']),
  /** Names from the system down, with slashes. */
  component: z.string(),
});

/** A load that runs or has ended; `output` is the tail that is kept. */
export const systemLoad = z.object({
  evaluation: z.string(),
  system: z.string(),
  actor: z.string(),
  /** `gone`: it was loaded into an image, or a state of it, that is no more. */
  state: z.enum(['waiting', 'loading', 'loaded', 'failed', 'cancelled', 'gone']),
  /** The files that were loaded, or why the load failed, in words. */
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

/** Something that is run for a system, by the page's own unique id for it. */
const systemRun = z.object({ system: systemName, evaluation: runId });

export const systemCalls = {
  'systems.list': {
    input: z.object({}),
    /** `libraries`: what could give further systems to the image, or does. */
    output: z.object({
      systems: z.array(systemRecord),
      quicklisp: z.boolean(),
      libraries: z.array(libraryRecord),
    }),
  },
  /** Loads what is not loaded or was changed since; with `force` the whole system, or all that it needs, in any case. */
  'systems.load': {
    input: systemRun.extend({ force: forcedPart.nullable() }),
    /** `compilation`: what the compiler said of the system's own files; null where ASDF did not come to them. */
    output: z.object({ load: systemLoad, compilation: systemCompilation.nullable() }),
  },
  /** The loaded systems that a load would bring up to date, each after those that it depends on. */
  'systems.outdated': { input: z.object({}), output: z.object({ systems: z.array(outdatedSystem) }) },
  /** Describes a system by its definition. Runs its .asd file, in turn. */
  'systems.describe': { input: systemRun, output: systemDescription },
  /** Tells how a system, or all the project's, depend on others and others on them. Runs their .asd files, in turn. */
  'systems.graph': { input: z.object({ system: systemName.nullable(), evaluation: runId }), output: systemGraph },
  /** Runs a system's tests in turn; their output arrives as `output` events. */
  'systems.test': { input: systemRun, output: testOutcome },
  /** Has the image use one of the `libraries` of `systems.list`, in turn. */
  'systems.useLibrary': {
    input: z.object({ kind: libraryKind, path: z.string().min(1).max(4096), evaluation: runId }),
    output: z.object({}),
  },
} as const;
