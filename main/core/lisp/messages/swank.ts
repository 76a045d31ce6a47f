/** Emacs with SLIME, served by SWANK in the image. */
import { z } from 'zod';
import { contextId, evaluationId, runReply, runRequest } from './run.ts';

export const swankMessages = {
  /** Loads SWANK, as ASDF or Quicklisp finds it, unless it is there; a fresh image has none. One image of the machine does it at a time. */
  'load-swank': { lane: 'worker', request: runRequest, reply: runReply(z.object({})) },
  /**
   * Connects to a port of this machine, says the nonce there, and has SWANK serve what comes, in threads that work for this evaluation.
   * `loaded` is false, and nothing was done, where SWANK is not in the image.
   */
  'serve-swank': {
    lane: 'looking-up',
    changes: true,
    request: z.object({
      evaluation: evaluationId,
      context: contextId,
      actor: z.string(),
      port: z.int(),
      nonce: z.string(),
    }),
    reply: z.object({ loaded: z.boolean(), version: z.string().nullable() }),
  },
  /** Ends all connections of Emacs, and waits for their threads; `left` counts those that did not end in time. */
  'end-swank': {
    lane: 'looking-up',
    changes: true,
    request: z.object({}),
    reply: z.object({ left: z.int().nonnegative() }),
  },
} as const;
