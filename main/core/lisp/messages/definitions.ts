/** What the image defines. */
import { z } from 'zod';
import { definitionRecord, packageDefinitions } from '#contract/definition.ts';
import { contextId } from './run.ts';

export const definitionMessages = {
  /** Definitions of packages. `packages: null` means CL-USER and every package that is not in the pristine image. */
  definitions: {
    lane: 'looking-up',
    request: z.object({ packages: z.array(z.string()).nullable() }),
    reply: z.object({ packages: z.array(packageDefinitions) }),
  },
  /** What list-definitions needs: one package (null: the context's current one), and the systems loaded since the pristine image. */
  'list-definitions': {
    lane: 'looking-up',
    request: z.object({ context: contextId, package: z.string().nullable() }),
    reply: z.object({
      package: z.string(),
      definitions: z.array(definitionRecord),
      systems: z.array(z.string()),
      unknownPackage: z.boolean(),
    }),
  },
} as const;
