/** Menus of commands, created from the page's command table. */
import { z } from 'zod';

export const commandMenu = z.object({
  title: z.string().max(60),
  items: z
    .array(
      z.object({
        /** The id of the command; main sends it back when the person chooses the entry. */
        command: z.string().max(80),
        title: z.string().max(120),
        /** The keys, e.g. `Ctrl+Enter`, or a sequence of strokes separated by blanks; null if there are none. */
        keys: z.string().max(80).nullable(),
        enabled: z.boolean(),
      }),
    )
    .max(100),
});

export type CommandMenu = z.infer<typeof commandMenu>;
