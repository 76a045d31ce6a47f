/** The person's look at the threads of a REPL's image. No call starts an image: each answers null where none is up. */
import { z } from 'zod';
import { threadFrames, threadRecord } from './profiling.ts';
import { replId } from '#contract/image/repl.ts';

/** The system's id of a thread, in the image of a REPL. */
const ofThread = z.object({ repl: replId, thread: z.int().nonnegative() });

export const threadCalls = {
  'threads.list': {
    input: z.object({ repl: replId }),
    output: z.object({ threads: z.array(threadRecord) }).nullable(),
  },
  'threads.backtrace': { input: ofThread, output: threadFrames.nullable() },
  /** Ends a thread that code has made; `refused` says why another one is not ended. */
  'threads.end': {
    input: ofThread,
    output: z.object({ found: z.boolean(), refused: z.string().nullable() }).nullable(),
  },
} as const;
