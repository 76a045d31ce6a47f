/** The evaluations of agents in an image that the person has not accepted yet. */
import { z } from 'zod';

export const agentsChanges = z.object({
  /** True while there is any. */
  unreviewed: z.boolean(),
  /** The latest evaluations, oldest first, at most 20. */
  changes: z.array(
    z.object({
      evaluation: z.string(),
      actor: z.string(),
      /** The operation of the wire: `evaluate`, `load-system` … */
      operation: z.string(),
      /** The beginning of its code, or what it loaded; null where it has none. */
      code: z.string().nullable(),
    }),
  ),
  /** The number that `accept-changes` takes to accept all until now, and nothing that comes later. */
  upTo: z.int().nonnegative(),
});

export type AgentsChanges = z.infer<typeof agentsChanges>;
