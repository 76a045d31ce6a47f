/** ASDF systems in reach of the image. */
import { z } from 'zod';
import { definitionSource } from './definition.ts';

export const systemRecord = z.object({
  name: z.string(),
  loaded: z.boolean(),
  version: z.string().nullable(),
  /** Absolute path of the .asd file. */
  file: z.string().nullable(),
  /** Who brings it: the project's folders, ASDF's source registry, or what a library tool keeps. */
  origin: z.enum(['project', 'registry', 'quicklisp', 'qlot', 'ocicl']),
  /** What is wrong with the file as far as its text tells; null when nothing. */
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
export const systemComponent = z.object({
  name: z.string(),
  kind: z.enum(['module', 'file', 'static-file', 'other']),
  file: z.string().nullable(),
  depth: z.int().nonnegative(),
});

/** What a system's definition says. When it does not work, `problem` tells why and the rest is empty. */
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
  /** At most 1000. */
  components: z.array(systemComponent),
  moreComponents: z.int().nonnegative(),
  file: z.string().nullable(),
  loaded: z.boolean(),
  /** Among the systems whose definitions were read already. */
  dependents: z.array(z.string()),
  problem: z.object({ type: z.string(), message: z.string() }).nullable(),
});

/** Systems and what they depend on, breadth first from the one that was asked about. */
export const systemGraph = z.object({
  nodes: z.array(
    z.object({
      name: z.string(),
      /** `defined`: it could be loaded; `broken`: its definition does not work, see `problem`. */
      state: z.enum(['loaded', 'defined', 'missing', 'broken']),
      version: z.string().nullable(),
      problem: z.string().nullable(),
    }),
  ),
  edges: z.array(z.object({ from: z.string(), to: z.string(), kind: z.enum(['depends', 'weakly', 'defsystem']) })),
  /** References to systems that were left out beyond 300. */
  more: z.int().nonnegative(),
});

/** How tests went. The counts are null where no framework that is known ran. */
export const testOutcome = z.object({
  name: z.string(),
  /** Whether the system says what testing it means; without that nothing ran. */
  hasTests: z.boolean(),
  /** No failure was seen and no error ended it. */
  success: z.boolean(),
  framework: z.enum(['fiveam']).nullable(),
  /** Checks, not tests. */
  passed: z.int().nonnegative().nullable(),
  failed: z.int().nonnegative().nullable(),
  skipped: z.int().nonnegative().nullable(),
  total: z.int().nonnegative().nullable(),
  /** At most 200. */
  failures: z.array(z.object({ test: z.string(), reason: z.string(), source: definitionSource.nullable() })),
});

/** How far ASDF is with a system. */
export const systemProgress = z.object({
  evaluation: z.string(),
  system: z.string(),
  done: z.int().nonnegative(),
  /** Grows when a step turns out to need more. */
  total: z.int().nonnegative(),
  /** What begins now. */
  action: z.enum(['compile', 'load', 'other']),
  /** Names from the system down, with slashes. */
  component: z.string(),
});

/** A load that runs or has ended; `output` is the tail that is kept. */
export const systemLoad = z.object({
  evaluation: z.string(),
  system: z.string(),
  actor: z.string(),
  state: z.enum(['waiting', 'loading', 'loaded', 'failed', 'cancelled']),
  message: z.string().nullable(),
});

export type SystemRecord = z.infer<typeof systemRecord>;
export type SystemLoad = z.infer<typeof systemLoad>;
export type LibraryKind = z.infer<typeof libraryKind>;
export type LibraryRecord = z.infer<typeof libraryRecord>;
export type SystemComponent = z.infer<typeof systemComponent>;
export type SystemDescription = z.infer<typeof systemDescription>;
export type SystemGraph = z.infer<typeof systemGraph>;
export type SystemProgress = z.infer<typeof systemProgress>;
export type TestOutcome = z.infer<typeof testOutcome>;
