/** Something that is wrong for as long as it lasts, or until the person has seen it: what they type is not kept, say. */
import { z } from 'zod';

export const alert = z.object({
  /** The alert's identity: unchanged for as long as it is about one matter. */
  id: z.string(),
  /** The text for the person: what is wrong, what it means, and what to do. */
  text: z.string(),
  /** The actions that the person can take against it with a click; none where it ends by itself. */
  actions: z.array(z.object({ id: z.string(), title: z.string() })),
});

export type Alert = z.infer<typeof alert>;
