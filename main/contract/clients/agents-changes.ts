/** The evaluations of agents in an image that the person has not yet accepted. */
import { z } from 'zod';

export const agentsChanges = z.object({
  /** True while there are unaccepted evaluations. */
  unreviewed: z.boolean(),
  /** The latest unaccepted evaluations, oldest first, at most 20. */
  changes: z.array(
    z.object({
      evaluation: z.string(),
      actor: z.string(),
      /** The name of the operation in the protocol: `evaluate`, `load-system` … */
      operation: z.string(),
      /**
       * The beginning of the evaluated code, or the name of the system, file or other object that was loaded or run; null if there is
       * neither.
       */
      code: z.string().nullable(),
    }),
  ),
  /** The number to pass to `accept-changes`, which accepts all evaluations up to now and no later ones. */
  upTo: z.int().nonnegative(),
});

export type AgentsChanges = z.infer<typeof agentsChanges>;
