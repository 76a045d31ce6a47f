/** What an image defines, by package. */
import { z } from 'zod';

/** Where a definition stands, as far as the image knows. `offset` counts UTF-16 code units from 0; `line` is 1-based. */
export const definitionSource = z.object({
  file: z.string(),
  offset: z.int().nonnegative().nullable(),
  line: z.int().positive().nullable(),
});

export const definitionKind = z.enum([
  'function',
  'generic-function',
  'macro',
  'variable',
  'constant',
  'class',
  'structure',
  'condition',
  'method',
  'type',
]);

export const definitionRecord = z.object({
  kind: definitionKind,
  /** Symbol name as prin1 prints it in its own package; methods carry qualifiers and specializers: `DISCOUNT (CLUB-MEMBER T)`. */
  name: z.string(),
  /** `(A B &OPTIONAL C)`, upper case, `()` when empty; null where there is none. */
  lambdaList: z.string().nullable(),
  /** Printed value (at most 200 characters) for variables and constants; null when unbound. */
  value: z.string().nullable(),
  documentation: z.string().nullable(),
  source: definitionSource.nullable(),
  /** Actor id that evaluated the definition in this image (`person`, `client:…`), null when it came from a loaded file. */
  actor: z.string().nullable(),
});

export const packageDefinitions = z.object({ package: z.string(), definitions: z.array(definitionRecord) });

export type DefinitionKind = z.infer<typeof definitionKind>;
export type DefinitionSource = z.infer<typeof definitionSource>;
export type DefinitionRecord = z.infer<typeof definitionRecord>;
export type PackageDefinitions = z.infer<typeof packageDefinitions>;
