/** Calls with which the person examines the memory of a REPL's image. No call starts an image; each returns null if no image is running. */
import { z } from 'zod';
import { conditionRecord } from '#contract/image/condition.ts';
import { evaluationStatus } from '#contract/image/evaluation.ts';
import { handle, pane } from '#contract/image/inspection.ts';
import { collection, heldInstances, memoryReport, rootPaths } from './profiling.ts';
import { replId } from '#contract/image/repl.ts';

/** The maximum number of classes in a report; an image usually has fewer. */
const CLASSES = 10_000;

export const memoryCalls = {
  'memory.report': {
    asks: 'memory-report',
    with: { limit: CLASSES },
    input: z.object({ repl: replId }),
    output: memoryReport.nullable(),
  },
  /** Retains instances of a class for a pane. `class` is the class's name as the report prints it. */
  'memory.instances': {
    input: z.object({ repl: replId, class: z.string().min(1).max(1000), pane, limit: z.int().min(1).max(1000) }),
    output: heldInstances.nullable(),
  },
  /** Finds the reference paths that keep an object alive, and retains the objects on these paths for a pane. */
  'memory.whyAlive': { input: z.object({ handle, pane }), output: rootPaths },
  /** Runs the garbage collector when the call's turn in the queue comes; `full` collects all generations. */
  'memory.collect': {
    input: z.object({ repl: replId, full: z.boolean(), evaluation: z.string().min(8).max(64) }),
    output: z
      .object({ status: evaluationStatus, condition: conditionRecord.nullable(), collected: collection.nullable() })
      .nullable(),
  },
} as const;
