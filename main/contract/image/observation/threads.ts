/** The person's look at the threads of a REPL's image. No call starts an image: each answers null where none is up. */
import { z } from 'zod';
import { threadFrames, threadRecord } from './profiling.ts';
import { replId } from '#contract/image/repl.ts';

/** The system's id of a thread, in the image of a REPL. */
const ofThread = z.object({ repl: replId, thread: z.int().nonnegative() });

/** Frames of a backtrace that are told. */
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
  /** Ends a thread that code has made; `refused` says why another one is not ended. */
  'threads.end': {
    asks: 'end-thread',
    input: ofThread,
    output: z.object({ found: z.boolean(), refused: z.string().nullable() }).nullable(),
  },
} as const;
