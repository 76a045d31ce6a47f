/** Tests of the frameworks that the image has, and what came of them. */
import { z } from 'zod';
import { conditionRecord } from './condition.ts';
import { definitionSource } from './definition.ts';
import { printedValue } from './evaluation.ts';

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
