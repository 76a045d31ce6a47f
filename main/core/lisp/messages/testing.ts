/** Tests: which the image knows, and running some of them. */
import { z } from 'zod';
import { testRecord, testVerdict } from '#contract/image/testing.ts';
import { runReply, runRequest } from './run.ts';

export const testingMessages = {
  /** The tests and suites of all frameworks that are loaded, and the project's systems that say how they are tested. */
  tests: {
    lane: 'looking-up',
    changes: false,
    request: z.object({}),
    reply: z.object({ frameworks: z.array(z.string()), tests: z.array(testRecord), more: z.int().nonnegative() }),
  },
  /**
   * Runs tests, in the order of their ids; the results arrive as events `test-finished`. With `debug` errors and failed checks wait in
   * the debugger where `onError` says so, else they are results.
   */
  'run-tests': {
    lane: 'worker',
    request: runRequest.extend({ tests: z.array(z.string()), debug: z.boolean() }),
    reply: runReply(
      z.object({
        /** Ids of what is not there to be run. */
        missing: z.array(z.string()),
        counts: z.array(z.object({ outcome: testVerdict, count: z.int().positive() })),
      }),
    ),
  },
} as const;
