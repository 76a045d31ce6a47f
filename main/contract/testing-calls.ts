/** The person's tests: which there are in the shared image, and running them. No call starts an image: each answers null where none is up. */
import { z } from 'zod';
import { conditionRecord } from './condition.ts';
import { evaluationStatus } from './evaluation.ts';
import { testRecord, testResult, testStart } from './testing.ts';

/** A result with what the test printed, at most its first 100,000 characters. */
const shownTestResult = testResult.extend({ output: z.string(), outputCut: z.int().nonnegative() });

export type ShownTestResult = z.infer<typeof shownTestResult>;

export const testingCalls = {
  'tests.list': {
    input: z.object({}),
    output: z
      .object({
        /** The frameworks that are loaded. */
        frameworks: z.array(z.string()),
        tests: z.array(testRecord),
        more: z.int().nonnegative(),
        /** The latest result of each test that ran in this image. */
        results: z.array(shownTestResult),
      })
      .nullable(),
  },
  /** Runs tests when it is their turn; the results arrive as events. `title` is what the activity tells. */
  'tests.run': {
    input: z.object({
      tests: z.array(z.string()).min(1).max(10_000),
      debug: z.boolean(),
      title: z.string().max(500),
      evaluation: z.string().min(8).max(64),
    }),
    output: z
      .object({ status: evaluationStatus, condition: conditionRecord.nullable(), missing: z.array(z.string()) })
      .nullable(),
  },
} as const;

export const testingEvents = {
  'test-started': testStart,
  'test-finished': shownTestResult,
} as const;
