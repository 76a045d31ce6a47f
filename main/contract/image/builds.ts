/** The call that compares the shared image with a build of the project from its files in an image of its own. */
import { z } from 'zod';
import { filesDiagnostics } from './compilation.ts';
import { definitionRecord } from './definition.ts';

/**
 * A definition in which the image and the build are not the same. `only-in-image`: no file makes it, so that it is gone tomorrow;
 * `only-in-files`: the files make it and the image has it not; `different`: both have one, and `words` say in what they differ.
 */
const buildDifference = z.object({
  state: z.enum(['only-in-image', 'only-in-files', 'different']),
  package: z.string(),
  /** The definition of the image; that of the build where the image has none. */
  definition: definitionRecord,
  /** The file of the project that has the definition, or had it when it was loaded; null where none is known. */
  file: z.string().nullable(),
  words: z.string(),
});

const buildComparison = z.object({
  /** The systems that were built, in their order. */
  systems: z.array(z.string()),
  /** The systems that do not build from their files alone, with why. */
  failed: z.array(z.object({ system: z.string(), message: z.string() })),
  /** The diagnostics of the compiler, by file; a file that was compiled without a fault has none. */
  files: filesDiagnostics,
  differences: z.array(buildDifference),
  /** Differences that are not listed. */
  more: z.int().nonnegative(),
  /** The number of definitions that were compared. */
  compared: z.int().nonnegative(),
});

export type BuildDifference = z.infer<typeof buildDifference>;
export type BuildComparison = z.infer<typeof buildComparison>;

export const buildCalls = {
  /**
   * Compiles and loads the project's loaded systems in a new image, which ends afterwards, and compares. Null where no image is up, and
   * where it was cancelled.
   */
  'build.compare': { input: z.object({}), output: buildComparison.nullable() },
  'build.cancel': { input: z.object({}), output: z.object({}) },
};
