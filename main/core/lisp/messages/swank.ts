/** Emacs with SLIME, connected to SWANK in the image. */
import { z } from 'zod';
import { contextId, evaluationId, runReply, runRequest } from './run.ts';

export const swankMessages = {
  /**
   * Loads SWANK through ASDF or Quicklisp if it is not loaded yet; a new image does not have it. On a machine, only one image at a time
   * loads it.
   */
  'load-swank': { lane: 'worker', request: runRequest, reply: runReply(z.object({})) },
  /**
   * Connects to a port of this machine, sends the nonce, and lets SWANK serve the connection in threads that belong to this evaluation. If
   * SWANK is not in the image, `loaded` is false and there is no connection.
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
  /** Ends all Emacs connections and waits for their threads; `left` is the number of threads that did not end in time. */
  'end-swank': {
    lane: 'looking-up',
    changes: true,
    request: z.object({}),
    reply: z.object({ left: z.int().nonnegative() }),
  },
} as const;
