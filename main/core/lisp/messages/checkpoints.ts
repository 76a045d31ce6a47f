/** Checkpoints of the whole image. */
import { z } from 'zod';
import { imageHook } from '#contract/image/saved-images.ts';
import { runReply, runRequest } from './run.ts';

export const checkpointMessages = {
  /**
   * Forks the image; the forked process freezes as a checkpoint and the image continues. `reason` says why this is not possible now: an
   * evaluation is running, there are threads of user code, or the system has no fork. `context`, if present, is the context that is about
   * to evaluate code; its earlier evaluation, if that was answered but is still in the debugger, is abandoned. With `idle`, no action is
   * waiting for the checkpoint, so garbage may be collected first.
   */
  checkpoint: {
    lane: 'main',
    changes: false,
    request: z.object({ idle: z.boolean() }),
    reply: z.object({ pid: z.int().nullable(), reason: z.string().nullable() }),
  },
  /**
   * Writes the image to a core file from which another image can start. The forked process `pid` writes the file, and `world-saved` reports
   * when it is complete.
   */
  'save-world': {
    lane: 'main',
    changes: false,
    request: z.object({ file: z.string() }),
    reply: z.object({ pid: z.int().nullable(), reason: z.string().nullable() }),
  },
  /**
   * Writes the image to an executable file that calls `function` and then exits; if `function` is null, the file starts SBCL's REPL. The
   * name is read in `package`, and the function must not require arguments. `reason` also reports a missing function. `world-saved` reports
   * when the file is complete.
   */
  'save-executable': {
    lane: 'main',
    changes: false,
    request: z.object({
      file: z.string(),
      function: z.string().nullable(),
      package: z.string(),
      /** The ids, from `list-hooks`, of the agents' hooks that the executable keeps. */
      hooks: z.array(z.int()),
    }),
    reply: z.object({ pid: z.int().nullable(), reason: z.string().nullable() }),
  },
  /**
   * Lists the functions of agents that SBCL or UIOP call when an image starts, is saved, collects garbage or ends. Also returns the number
   * of functions that should have been called at the start of this image but have not been called yet.
   */
  'list-hooks': {
    lane: 'control',
    changes: false,
    request: z.object({}),
    reply: z.object({ due: z.int(), hooks: z.array(imageHook.extend({ actor: z.string() })) }),
  },
  /** Calls the agents' hooks that should have been called when this image started from a saved image, each with its author's guard. */
  'run-start-hooks': {
    lane: 'worker',
    request: runRequest,
    reply: runReply(z.object({ hooks: z.int() })),
  },
} as const;
