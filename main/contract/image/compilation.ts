/** The compiler's diagnostics of a text or a file, each at its exact place. */
import { z } from 'zod';
import { formMark, refusedMark } from './observation/recording.ts';
import { evaluationReport, sourcePlace } from './evaluation.ts';
import { CODE_LIMIT } from '#contract/limits.ts';

const diagnosticSeverity = z.enum(['error', 'warning', 'style-warning', 'note', 'read-error', 'redefinition']);

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
  /** True when there was an error, or a warning that is more than a style warning. */
  failed: z.boolean(),
  warningsP: z.boolean(),
  /** The diagnostics in the order in which they came, at most 500. */
  diagnostics: z.array(diagnostic),
  /** The number of all diagnostics. */
  total: z.int().nonnegative(),
  loaded: z.boolean(),
  /** Top-level forms that define something. */
  definitions: z.int().nonnegative(),
  /** Absolute path of the compiled file that was kept. */
  fasl: z.string().nullable(),
});

/** The compilation of a text. Where marks of forms are refused, nothing was loaded. */
export const textCompilationResult = compilationResult.extend({ refused: z.array(refusedMark) });

/** Qualities from 0 to 3; what is not given stays as the image has it. */
export const compilationPolicy = z.object({
  speed: z.int().min(0).max(3).optional(),
  safety: z.int().min(0).max(3).optional(),
  debug: z.int().min(0).max(3).optional(),
  space: z.int().min(0).max(3).optional(),
  compilationSpeed: z.int().min(0).max(3).optional(),
  /** 3 has the code count what of it is executed, see `coverage`. */
  coverage: z.int().min(0).max(3).optional(),
});

export const filesDiagnostics = z.array(z.object({ file: z.string().nullable(), diagnostics: z.array(diagnostic) }));

/** The files that code of an evaluation had compiled, with what the compiler said of each. */
export const filesCompiled = z.object({ evaluation: z.string(), files: filesDiagnostics });

/** `compile-system`: the diagnostics of each file that was read, files without any left out. */
export const systemCompilation = z.object({
  name: z.string(),
  failed: z.boolean(),
  files: filesDiagnostics,
  /** The files that were compiled without a fault. */
  sound: z.array(z.string()),
  total: z.int().nonnegative(),
  /** Steps of the plan that were carried out. */
  actionsDone: z.int().nonnegative(),
  loaded: z.boolean(),
  /** The files that were loaded, absolute paths in their order, at most 1000. */
  loadedFiles: z.array(z.string()),
});

export type Diagnostic = z.infer<typeof diagnostic>;
export type CompilationResult = z.infer<typeof compilationResult>;
export type TextCompilationResult = z.infer<typeof textCompilationResult>;
export type SystemCompilation = z.infer<typeof systemCompilation>;
export type FilesCompiled = z.infer<typeof filesCompiled>;

export const compilationCalls = {
  /**
   * Compiles a text of the editor as a file is compiled, and loads it. Output arrives as `output` events. `evaluation` is the page's own unique
   * id for it; `title` is what the activity calls it. `result` is null where the image ended, or the text was not begun.
   */
  'compile.text': {
    input: z.object({
      evaluation: z.string().min(8).max(64),
      title: z.string().max(300),
      text: z.string().max(CODE_LIMIT),
      package: z.string().max(1000).nullable(),
      source: sourcePlace,
      /** True when the text is all of its source: what the compiler says of it is told by `files-compiled` before it is loaded. */
      whole: z.boolean(),
      /** True when what is executed of the text is to be counted, see `coverage.files`. */
      counts: z.boolean().optional(),
      /** True when frames of the code are to keep all variables. */
      debugs: z.boolean().optional(),
      /** False when the text is compiled only for what the compiler says of it. */
      loads: z.boolean().optional(),
      /** The forms whose values are to be recorded. */
      marks: z.array(formMark).max(200).optional(),
    }),
    output: z.object({ report: evaluationReport, result: textCompilationResult.nullable() }),
  },
} as const;
