/** Checkpoints of the whole image. */
import { z } from 'zod';
import { imageHook } from '#contract/image/saved-images.ts';
import { runReply, runRequest } from './run.ts';

export const checkpointMessages = {
  /**
   * Forks the image; the forked process freezes as a checkpoint and the image continues. `reason` says why this is not possible now: an
   * evaluation is running, the user's threads exist, or the system has no fork. `context`, if given, is about to evaluate, so an answered
   * evaluation of it that is still in the debugger is abandoned. With `idle`, no action waits for the checkpoint, so garbage may be
   * collected first.
   */
  checkpoint: {
    lane: 'main',
    changes: false,
    request: z.object({ idle: z.boolean() }),
    reply: z.object({ pid: z.int().nullable(), reason: z.string().nullable() }),
  },
  /**
   * Writes the image to a core file from which another image can start. The forked process `pid` does this, and `world-saved` reports when
   * it is done.
   */
  'save-world': {
    lane: 'main',
    changes: false,
    request: z.object({ file: z.string() }),
    reply: z.object({ pid: z.int().nullable(), reason: z.string().nullable() }),
  },
  /**
   * Writes the image to an executable file that calls `function` and then exits; null starts SBCL's REPL. The name is read in `package`,
   * and the function must not require arguments. `reason` also reports a missing function. `world-saved` reports when the file is written.
   */
  'save-executable': {
    lane: 'main',
    changes: false,
    request: z.object({
      file: z.string(),
      function: z.string().nullable(),
      package: z.string(),
      /** The agents' hooks that the executable retains, by their ids in `list-hooks`. */
      hooks: z.array(z.int()),
    }),
    reply: z.object({ pid: z.int().nullable(), reason: z.string().nullable() }),
  },
  /**
   * Lists the agents' functions that SBCL or UIOP call when an image starts, is saved, collects garbage or ends. Also returns how many of
   * them were due at the start of this image and have not been called.
   */
  'list-hooks': {
    lane: 'control',
    changes: false,
    request: z.object({}),
    reply: z.object({ due: z.int(), hooks: z.array(imageHook.extend({ actor: z.string() })) }),
  },
  /** Calls the agents' hooks that were due when this image started from a saved image, each with its author's guard. */
  'run-start-hooks': {
    lane: 'worker',
    request: runRequest,
    reply: runReply(z.object({ hooks: z.int() })),
  },
} as const;
