/** What the compiler says of a text or a file, each at its exact place. */
import { z } from 'zod';

export const diagnosticSeverity = z.enum(['error', 'warning', 'style-warning', 'note', 'read-error', 'redefinition']);

export const diagnostic = z.object({
  severity: diagnosticSeverity,
  /** Class of the condition, as in a condition record. */
  type: z.string(),
  message: z.string(),
  /** Absolute path or buffer name that the place counts in; null: the text that was sent, which came from nowhere. */
  file: z.string().nullable(),
  /** The form, or the name within it, that is meant: from `start` to before `end`, in UTF-16 code units. */
  start: z.int().nonnegative().nullable(),
  end: z.int().nonnegative().nullable(),
  line: z.int().positive().nullable().describe('From 1.'),
  /** A text that was sent is taken to begin at the start of a line. */
  column: z
    .int()
    .nonnegative()
    .nullable()
    .describe('UTF-16 code units since the start of the line, from 0; texts of answers count it from 1.'),
  /** Name of the top-level definition around it. */
  context: z.string().nullable(),
});

export const compilationResult = z.object({
  /** There was an error or a warning that is more than a style warning. */
  failed: z.boolean(),
  warningsP: z.boolean(),
  /** In the order in which they came, at most 500. */
  diagnostics: z.array(diagnostic),
  /** How many there were. */
  total: z.int().nonnegative(),
  loaded: z.boolean(),
  /** Top-level forms that define something. */
  definitions: z.int().nonnegative(),
  /** Absolute path of the compiled file that was kept. */
  fasl: z.string().nullable(),
});

/** Qualities from 0 to 3; what is not given stays as the image has it. */
export const compilationPolicy = z.object({
  speed: z.int().min(0).max(3).optional(),
  safety: z.int().min(0).max(3).optional(),
  debug: z.int().min(0).max(3).optional(),
  space: z.int().min(0).max(3).optional(),
  compilationSpeed: z.int().min(0).max(3).optional(),
});

/** `compile-system`: the diagnostics of each file that was read, files without any left out. */
export const systemCompilation = z.object({
  name: z.string(),
  failed: z.boolean(),
  files: z.array(z.object({ file: z.string().nullable(), diagnostics: z.array(diagnostic) })),
  total: z.int().nonnegative(),
  /** Steps of the plan that were carried out. */
  actionsDone: z.int().nonnegative(),
  loaded: z.boolean(),
});

export type DiagnosticSeverity = z.infer<typeof diagnosticSeverity>;
export type Diagnostic = z.infer<typeof diagnostic>;
export type CompilationResult = z.infer<typeof compilationResult>;
export type CompilationPolicy = z.infer<typeof compilationPolicy>;
export type SystemCompilation = z.infer<typeof systemCompilation>;
