/** Looking up what names mean and where they stand. */
import { z } from 'zod';
import { definitionSource } from '#contract/definition.ts';
import { contextId } from './run.ts';

export const introspectionMessages = {
  'describe-symbol': {
    lane: 'looking-up',
    request: z.object({ context: contextId, symbol: z.string(), package: z.string().nullable() }),
    reply: z.object({
      found: z.boolean(),
      /** As prin1 prints it from CL-USER. */
      symbol: z.string(),
      package: z.string(),
      unknownPackage: z.boolean(),
      /** Everything that the symbol names; empty for a symbol without any. */
      meanings: z.array(
        z.object({
          /** function, macro, generic function, special operator, variable, constant, class, structure, condition, type … */
          kind: z.string(),
          lambdaList: z.string().nullable(),
          documentation: z.string().nullable(),
          value: z.string().nullable(),
          source: definitionSource.nullable(),
        }),
      ),
      /** Nearest symbol names when it was not found, best first, at most 5. */
      near: z.array(z.string()),
    }),
  },
} as const;
