/** Tests of the frameworks that the image has, and what came of them. */
import { z } from 'zod';
import { conditionRecord } from './condition.ts';
import { definitionSource } from './definition.ts';
import { evaluationStatus, printedValue } from './evaluation.ts';

/** A test or a suite. Its `id` names it as long as it is called so: `fiveam SHOP/TESTS::ADDS`. */
export const testRecord = z.object({
  id: z.string(),
  /** `fiveam`, …; `asdf` for a system that says how it is tested. */
  framework: z.string(),
  name: z.string(),
  package: z.string(),
  /** The id of the suite or the test that it is part of. */
  parent: z.string().nullable(),
  /** True for what has tests in it and is none itself. */
  suite: z.boolean(),
  /** Another number once the test was defined anew; 0 where that is not known. */
  version: z.int().nonnegative(),
  source: definitionSource.nullable(),
});

/** `stopped`: the person stopped the run in it. */
export const testVerdict = z.enum(['passed', 'failed', 'error', 'skipped', 'stopped']);

/** A check of a test. Of some the framework tells the values, whose handles are good until the test runs again. */
const testCheck = z.object({
  outcome: z.enum(['passed', 'failed', 'error', 'skipped']),
  form: z.string().nullable(),
  reason: z.string().nullable(),
  expected: printedValue.nullable(),
  actual: printedValue.nullable(),
});

export const testResult = z.object({
  evaluation: z.string(),
  test: z.string(),
  /** The version of the test that ran. */
  version: z.int().nonnegative(),
  outcome: testVerdict,
  /** The time that the test took; null where it ran as part of another, which was measured. */
  ms: z.number().nullable(),
  passed: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  skipped: z.int().nonnegative(),
  /** The checks, at most 200. */
  checks: z.array(testCheck),
  /** The condition that ended the test. */
  condition: conditionRecord.nullable(),
});

export const testStart = z.object({ evaluation: z.string(), test: z.string() });

export type TestRecord = z.infer<typeof testRecord>;
export type TestVerdict = z.infer<typeof testVerdict>;
export type TestCheck = z.infer<typeof testCheck>;
export type TestResult = z.infer<typeof testResult>;

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
