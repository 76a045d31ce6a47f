/** The evaluations of agents in an image that the person has not yet accepted. */
import { z } from 'zod';

export const agentsChanges = z.object({
  /** True while there are such evaluations. */
  unreviewed: z.boolean(),
  /** The latest evaluations, oldest first, at most 20. */
  changes: z.array(
    z.object({
      evaluation: z.string(),
      actor: z.string(),
      /** The operation on the wire: `evaluate`, `load-system` … */
      operation: z.string(),
      /** The beginning of the evaluated code, or the name of what was loaded; null if there is neither. */
      code: z.string().nullable(),
    }),
  ),
  /** The number to pass to `accept-changes`: it accepts all evaluations up to now, and no later ones. */
  upTo: z.int().nonnegative(),
});

export type AgentsChanges = z.infer<typeof agentsChanges>;
