/** The person's look at the memory of a REPL's image. No call starts an image: each answers null where none is up. */
import { z } from 'zod';
import { conditionRecord } from '#contract/image/condition.ts';
import { evaluationStatus } from '#contract/image/evaluation.ts';
import { handle, pane } from '#contract/image/inspection.ts';
import { collection, heldInstances, memoryReport, rootPaths } from './profiling.ts';
import { replId } from '#contract/image/repl.ts';

/** Classes that a report tells of: more than an image comes to have instances of. */
const CLASSES = 10_000;

export const memoryCalls = {
  'memory.report': {
    asks: 'memory-report',
    with: { limit: CLASSES },
    input: z.object({ repl: replId }),
    output: memoryReport.nullable(),
  },
  /** Holds instances of a class, which is named as the report names it, for a pane. */
  'memory.instances': {
    input: z.object({ repl: replId, class: z.string().min(1).max(1000), pane, limit: z.int().min(1).max(1000) }),
    output: heldInstances.nullable(),
  },
  /** Finds what keeps an object, and holds the steps that lead to it for a pane. */
  'memory.whyAlive': { input: z.object({ handle, pane }), output: rootPaths },
  /** Collects garbage when it is its turn; `full` looks through all generations. */
  'memory.collect': {
    input: z.object({ repl: replId, full: z.boolean(), evaluation: z.string().min(8).max(64) }),
    output: z
      .object({ status: evaluationStatus, condition: conditionRecord.nullable(), collected: collection.nullable() })
      .nullable(),
  },
} as const;
