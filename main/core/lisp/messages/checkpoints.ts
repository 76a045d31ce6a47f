/** Copies of the whole image to go back to. */
import { z } from 'zod';
import { imageHook } from '#contract/image/saved-images.ts';
import { runReply, runRequest } from './run.ts';

export const checkpointMessages = {
  /**
   * Copy the image by fork; the copy freezes and the image goes on. `reason` says why it is not possible now: an
   * evaluation is under way, threads of the user's live, or the system has no fork. `context`, when given, is about to
   * evaluate: what it left in the debugger after its answer is given up. When `idle`, nobody waits for the copy: garbage may be
   * collected first.
   */
  checkpoint: {
    lane: 'main',
    changes: false,
    request: z.object({ idle: z.boolean() }),
    reply: z.object({ pid: z.int().nullable(), reason: z.string().nullable() }),
  },
  /** Write the image to a core file, from which another can start: the copy `pid` does, and `world-saved` tells when it is done. */
  'save-world': {
    lane: 'main',
    changes: false,
    request: z.object({ file: z.string() }),
    reply: z.object({ pid: z.int().nullable(), reason: z.string().nullable() }),
  },
  /**
   * Write the image to an executable file. It calls `function`, which is read in `package` and takes no argument that it needs, and ends; null for
   * SBCL's REPL. `reason` says also why there is no such function. `world-saved` tells when it is written.
   */
  'save-executable': {
    lane: 'main',
    changes: false,
    request: z.object({
      file: z.string(),
      function: z.string().nullable(),
      package: z.string(),
      /** Agents' hooks that the program keeps, by their ids in `list-hooks`. */
      hooks: z.array(z.int()),
    }),
    reply: z.object({ pid: z.int().nullable(), reason: z.string().nullable() }),
  },
  /**
   * The functions that agents have SBCL or UIOP call when an image starts, is saved, collects garbage or ends; and how many of them were due when
   * this image started, and have not been called.
   */
  'list-hooks': {
    lane: 'control',
    changes: false,
    request: z.object({}),
    reply: z.object({ due: z.int(), hooks: z.array(imageHook.extend({ actor: z.string() })) }),
  },
  /** Calls the hooks of agents that were due when this image started from a saved one, each with its author's guard. */
  'run-start-hooks': {
    lane: 'worker',
    request: runRequest,
    reply: runReply(z.object({ hooks: z.int() })),
  },
} as const;
