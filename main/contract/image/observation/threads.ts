/**
 * Calls with which the person examines the threads of a REPL's image. No call starts an image; each returns null if no image is running.
 */
import { z } from 'zod';
import { threadFrames, threadRecord } from './profiling.ts';
import { replId } from '#contract/image/repl.ts';

/** A thread by its system id, in the image of a REPL. */
const ofThread = z.object({ repl: replId, thread: z.int().nonnegative() });

/** The maximum number of returned frames. */
const FRAMES = 200;

export const threadCalls = {
  'threads.list': {
    asks: 'threads',
    input: z.object({ repl: replId }),
    output: z.object({ threads: z.array(threadRecord) }).nullable(),
  },
  'threads.backtrace': {
    asks: 'thread-backtrace',
    with: { limit: FRAMES },
    input: ofThread,
    output: threadFrames.nullable(),
  },
  /** Ends a thread that user code created; for any other thread, `refused` gives the reason. */
  'threads.end': {
    asks: 'end-thread',
    input: ofThread,
    output: z.object({ found: z.boolean(), refused: z.string().nullable() }).nullable(),
  },
} as const;
