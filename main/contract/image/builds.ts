/** The call that compares the shared image with a fresh build of the project in a separate image. */
import { z } from 'zod';
import { filesDiagnostics } from './compilation.ts';
import { definitionRecord } from './definition.ts';

/**
 * A definition that differs between the image and the build. `only-in-image`: no file contains it, so it will be lost when the image ends;
 * `only-in-files`: the files define it, but the image does not have it; `different`: both have it, and `words` describes the difference.
 */
const buildDifference = z.object({
  state: z.enum(['only-in-image', 'only-in-files', 'different']),
  package: z.string(),
  /** The definition in the image, or in the build if the image has none. */
  definition: definitionRecord,
  /** The project file that contains the definition, or contained it when it was loaded; null if unknown. */
  file: z.string().nullable(),
  words: z.string(),
});

const buildComparison = z.object({
  /** The systems that were built, in build order. */
  systems: z.array(z.string()),
  /** The systems that cannot be built from their files, each with the reason. */
  failed: z.array(z.object({ system: z.string(), message: z.string() })),
  /** The compiler's diagnostics by file; a file that compiled without problems has an empty list. */
  files: filesDiagnostics,
  differences: z.array(buildDifference),
  /** The number of differences that are not listed. */
  more: z.int().nonnegative(),
  /** The number of definitions that were compared. */
  compared: z.int().nonnegative(),
});

export type BuildDifference = z.infer<typeof buildDifference>;
export type BuildComparison = z.infer<typeof buildComparison>;

export const buildCalls = {
  /**
   * Compiles and loads the project's loaded systems in a temporary image, and compares that image with the shared one. Returns null if no
   * image is running or the call was cancelled.
   */
  'build.compare': { input: z.object({}), output: buildComparison.nullable() },
  'build.cancel': { input: z.object({}), output: z.object({}) },
};
