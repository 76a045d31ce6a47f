/** Copies of the whole image to go back to. */
import { z } from 'zod';
import { contextId } from './run.ts';

export const checkpointMessages = {
  /**
   * Copy the image by fork; the copy freezes and the image goes on. `reason` says why it is not possible now: an
   * evaluation is under way, threads of the user's live, or the system has no fork. `context`, when given, is about to
   * evaluate: what it left in the debugger after its answer is given up.
   */
  checkpoint: {
    lane: 'main',
    request: z.object({ context: contextId.nullable() }),
    reply: z.object({ pid: z.int().nullable(), reason: z.string().nullable() }),
  },
  /** Write the image to a core file, from which another can start: the copy `pid` does, and `world-saved` tells when it is done. */
  'save-world': {
    lane: 'main',
    request: z.object({ file: z.string() }),
    reply: z.object({ pid: z.int().nullable(), reason: z.string().nullable() }),
  },
} as const;
