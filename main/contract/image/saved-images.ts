/** The person's saved images: kept to go on with here, or written as a program that runs without the workbench. */
import { z } from 'zod';

const nothing = z.object({});

/** A saved image: its name, when it was saved (milliseconds since 1970), its size in bytes, and why it cannot be opened; null when it can. */
const savedImage = z.object({
  name: z.string(),
  savedAt: z.number(),
  bytes: z.number(),
  problem: z.string().nullable(),
});

/** A function that an agent has SBCL or UIOP call, `reviewed` when the person has reviewed what it does. */
export const imageHook = z.object({
  id: z.int(),
  text: z.string(),
  /** The variable whose list it is in, without package. */
  variable: z.string(),
  occasion: z.enum(['start', 'save', 'collection', 'exit']),
  reviewed: z.boolean(),
});

/** `by` is the name of the agent. */
const listedHook = imageHook.extend({ by: z.string() });

export type ListedHook = z.infer<typeof listedHook>;

export type SavedImage = z.infer<typeof savedImage>;

export const savedImageCalls = {
  /** Lists the saved images, newest first. */
  'savedImages.list': { input: nothing, output: z.object({ images: z.array(savedImage) }) },
  /** The hooks that agents put into the image. */
  'savedImages.hooks': { input: nothing, output: z.object({ hooks: z.array(listedHook) }) },
  /** Saves the image under a name, in place of the one that has it. It goes on meanwhile. */
  'savedImages.save': { input: z.object({ name: z.string().max(80) }), output: nothing },
  /** Goes on with a saved image in place of the one that runs. */
  'savedImages.open': { input: z.object({ name: z.string().max(80) }), output: nothing },
  'savedImages.remove': { input: z.object({ name: z.string().max(80) }), output: nothing },
  /** Has the person choose where an executable goes, from `file` on; the system's dialog asks before one is replaced. */
  'savedImages.chooseFile': {
    input: z.object({ file: z.string().max(4096) }),
    output: z.object({ file: z.string().nullable() }),
  },
  /**
   * Writes the image to an executable file. `bytes` is null where there is a file already and `replace` is false. The program calls `function`, a name that is read in `package`, or
   * SBCL's REPL where it is null.
   */
  'savedImages.saveExecutable': {
    input: z.object({
      file: z.string().min(1).max(4096),
      replace: z.boolean(),
      function: z.string().min(1).max(1000).nullable(),
      package: z.string().max(1000),
      /** The ids of the agents' hooks that the program keeps. */
      hooks: z.array(z.int()).max(1000),
    }),
    output: z.object({ file: z.string(), bytes: z.number().nullable() }),
  },
} as const;
