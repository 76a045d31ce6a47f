/** The calls about ASDF systems: what is in reach, loading and reloading it, testing it, and what it depends on. */
import { z } from 'zod';
import { systemCompilation } from './compilation.ts';
import {
  forcedPart,
  libraryKind,
  libraryRecord,
  outdatedSystem,
  systemDescription,
  systemGraph,
  systemLoad,
  systemRecord,
  testOutcome,
} from './system.ts';

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
