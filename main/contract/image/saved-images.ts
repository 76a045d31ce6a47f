/** The person's saved images, which are stored for later use or written as programs that run without the workbench. */
import { z } from 'zod';

const nothing = z.object({});

/**
 * A saved image: its name, the time when it was saved (milliseconds since 1970), its size in bytes, and the reason why it cannot be opened
 * (null if it can).
 */
const savedImage = z.object({
  name: z.string(),
  savedAt: z.number(),
  bytes: z.number(),
  problem: z.string().nullable(),
});

/** A function that an agent registered as a hook of SBCL or UIOP. `reviewed`: the person has reviewed its code. */
export const imageHook = z.object({
  id: z.int(),
  text: z.string(),
  /** The name, without package, of the variable that contains the list of hooks. */
  variable: z.string(),
  occasion: z.enum(['start', 'save', 'collection', 'exit']),
  reviewed: z.boolean(),
});

/** A hook; `by` is the name of the agent that registered it. */
const listedHook = imageHook.extend({ by: z.string() });

export type ListedHook = z.infer<typeof listedHook>;

export type SavedImage = z.infer<typeof savedImage>;

export const savedImageCalls = {
  /** Lists the saved images, newest first. */
  'savedImages.list': { input: nothing, output: z.object({ images: z.array(savedImage) }) },
  /** Lists the hooks that agents registered in the image. */
  'savedImages.hooks': { input: nothing, output: z.object({ hooks: z.array(listedHook) }) },
  /** Saves the image under a name, replacing an existing saved image of that name. The image continues to run. */
  'savedImages.save': { input: z.object({ name: z.string().max(80) }), output: nothing },
  /** Replaces the running image with a saved one. */
  'savedImages.open': { input: z.object({ name: z.string().max(80) }), output: nothing },
  'savedImages.remove': { input: z.object({ name: z.string().max(80) }), output: nothing },
  /** Lets the person choose the path of an executable, starting at `file`. The system's dialog asks before it replaces a file. */
  'savedImages.chooseFile': {
    input: z.object({ file: z.string().max(4096) }),
    output: z.object({ file: z.string().nullable() }),
  },
  /**
   * Writes the image to an executable file. If the file already exists and `replace` is false, writes nothing and returns null as `bytes`.
   * The program calls `function`, a name read in `package`; if `function` is null, the program starts SBCL's REPL.
   */
  'savedImages.saveExecutable': {
    input: z.object({
      file: z.string().min(1).max(4096),
      replace: z.boolean(),
      function: z.string().min(1).max(1000).nullable(),
      package: z.string().max(1000),
      /** The ids of the agents' hooks that remain in the written program. */
      hooks: z.array(z.int()).max(1000),
    }),
    output: z.object({ file: z.string(), bytes: z.number().nullable() }),
  },
} as const;
