/** The operations that list the tests in the image and run some of them. */
import { z } from 'zod';
import { testedSystem, testRecord, testVerdict } from '#contract/image/testing.ts';
import { runReply, runRequest } from './run.ts';

export const testingMessages = {
  /** Returns the tests and suites of all loaded frameworks, and the project's systems that define how to test them. */
  tests: {
    lane: 'looking-up',
    changes: false,
    request: z.object({}),
    reply: z.object({ frameworks: z.array(z.string()), tests: z.array(testRecord), more: z.int().nonnegative() }),
  },
  /** Reads the definitions of the project's systems, and returns those that define how they are tested. */
  'tested-systems': {
    lane: 'worker',
    request: runRequest,
    reply: runReply(z.object({ systems: z.array(testedSystem) })),
  },
  /**
   * Runs tests in the order of their ids; the results arrive as `test-finished` events. With `debug`, errors and failed checks wait in the
   * debugger if `onError` allows that; otherwise they become results.
   */
  'run-tests': {
    lane: 'worker',
    request: runRequest.extend({ tests: z.array(z.string()), debug: z.boolean() }),
    reply: runReply(
      z.object({
        /** The ids of tests that do not exist. */
        missing: z.array(z.string()),
        counts: z.array(z.object({ outcome: testVerdict, count: z.int().positive() })),
      }),
    ),
  },
} as const;
