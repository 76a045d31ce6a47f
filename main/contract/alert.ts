/** A problem that lasts until it is solved or until the person has seen the alert, such as typed text that cannot be saved. */
import { z } from 'zod';

export const alert = z.object({
  /** The alert's identity. It stays the same while the alert is about the same problem. */
  id: z.string(),
  /** The text for the person: what is wrong, what it means, and what to do. */
  text: z.string(),
  /** The actions that the person can take with a click; empty if the problem resolves automatically. */
  actions: z.array(z.object({ id: z.string(), title: z.string() })),
});

export type Alert = z.infer<typeof alert>;
