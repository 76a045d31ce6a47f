/** The tests of the test frameworks in the image, and their results. */
import { z } from 'zod';
import { conditionRecord } from './condition.ts';
import { definitionSource } from './definition.ts';
import { evaluationStatus, printedValue } from './evaluation.ts';

/** A test or a suite. The `id` contains the name of the test, so it changes when the test is renamed: `fiveam SHOP/TESTS::ADDS`. */
export const testRecord = z.object({
  id: z.string(),
  /** The framework: `fiveam`, …; `asdf` for a system that defines how to test it. */
  framework: z.string(),
  name: z.string(),
  package: z.string(),
  /** The id of the enclosing suite or test. */
  parent: z.string().nullable(),
  /** True for an entry that is not a test itself but contains tests. */
  suite: z.boolean(),
  /** The version number, which changes when the test is redefined; 0 if unknown. */
  version: z.int().nonnegative(),
  source: definitionSource.nullable(),
});

/** A system of the project that defines how it is tested. */
export const testedSystem = z.object({
  name: z.string(),
  /** The other systems whose tests are its tests. */
  tests: z.array(z.string()),
  /** True if it needs a loaded framework whose tests are listed one by one. */
  lists: z.boolean(),
});

/** The result of a test. `stopped`: the person stopped the run during this test. */
export const testVerdict = z.enum(['passed', 'failed', 'error', 'skipped', 'stopped']);

/** A check within a test. Some frameworks report the checked values; their handles are valid until the test runs again. */
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
  /** The version of the test that was run. */
  version: z.int().nonnegative(),
  outcome: testVerdict,
  /** The duration of the test in milliseconds; null if the test ran as part of another test, because only that test was measured. */
  ms: z.number().nullable(),
  passed: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  skipped: z.int().nonnegative(),
  /** The checks, at most 200. */
  checks: z.array(testCheck),
  /** The condition that ended the test; null if there was none. */
  condition: conditionRecord.nullable(),
});

export const testStart = z.object({ evaluation: z.string(), test: z.string() });

export type TestedSystem = z.infer<typeof testedSystem>;
export type TestRecord = z.infer<typeof testRecord>;
export type TestVerdict = z.infer<typeof testVerdict>;
export type TestCheck = z.infer<typeof testCheck>;
export type TestResult = z.infer<typeof testResult>;

/** A result with the first 100,000 characters of the test's output. */
const shownTestResult = testResult.extend({ output: z.string(), outputCut: z.int().nonnegative() });

export type ShownTestResult = z.infer<typeof shownTestResult>;

export const testingCalls = {
  'tests.list': {
    input: z.object({}),
    output: z
      .object({
        /** The loaded frameworks. */
        frameworks: z.array(z.string()),
        tests: z.array(testRecord),
        more: z.int().nonnegative(),
        /** The latest result of each test that ran in this image. */
        results: z.array(shownTestResult),
      })
      .nullable(),
  },
  /** Reads the definitions of the project's systems, and returns those that are tested. Null if no image is running. */
  'tests.systems': {
    input: z.object({ evaluation: z.string().min(8).max(64) }),
    output: z
      .object({ status: evaluationStatus, condition: conditionRecord.nullable(), systems: z.array(testedSystem) })
      .nullable(),
  },
  /** Queues tests and runs them when their turn comes; the results arrive as events. `title` is the text shown in the activity. */
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
