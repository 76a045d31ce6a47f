/** Emacs with SLIME, connected to SWANK in the image. */
import { z } from 'zod';
import { contextId, evaluationId, runReply, runRequest } from './run.ts';

export const swankMessages = {
  /**
   * Loads SWANK through ASDF or Quicklisp unless it is loaded already; a new image does not have it. Only one image on the machine loads it
   * at a time.
   */
  'load-swank': { lane: 'worker', request: runRequest, reply: runReply(z.object({})) },
  /**
   * Connects to a port of this machine, sends the nonce, and lets SWANK serve the connection in threads that belong to this evaluation.
   * `loaded` is false if SWANK is not in the image; nothing is done then.
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
  /** Ends all connections of Emacs and waits for their threads; `left` counts those that did not end in time. */
  'end-swank': {
    lane: 'looking-up',
    changes: true,
    request: z.object({}),
    reply: z.object({ left: z.int().nonnegative() }),
  },
} as const;
