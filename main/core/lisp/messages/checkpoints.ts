/** Copies of the whole image to go back to. */
import { z } from 'zod';

export const checkpointMessages = {
  /**
   * Copy the image by fork; the copy freezes and the image goes on. `reason` says why it is not possible now: an
   * evaluation is under way, threads of the user's live, or the system has no fork.
   */
  checkpoint: {
    lane: 'main',
    request: z.object({}),
    reply: z.object({ pid: z.int().nullable(), reason: z.string().nullable() }),
  },
  /** Write the image to a core file, from which another can start; `world-saved` tells when it is done. */
  'save-world': {
    lane: 'main',
    request: z.object({ file: z.string() }),
    reply: z.object({ saving: z.boolean(), reason: z.string().nullable() }),
  },
} as const;
