/** The compiler's diagnostics for a text or a file, each with its exact location. */
import { z } from 'zod';
import { formMark, refusedMark } from './observation/recording.ts';
import { evaluationReport, sourcePlace } from './evaluation.ts';
import { CODE_LIMIT } from '#contract/limits.ts';

const diagnosticSeverity = z.enum(['error', 'warning', 'style-warning', 'note', 'read-error', 'redefinition']);

export const diagnostic = z.object({
  severity: diagnosticSeverity,
  /** The class of the condition, as in `conditionRecord`. */
  type: z.string(),
  message: z.string(),
  /** The absolute path or buffer name to which the position refers; null for code that was sent without a source. */
  file: z.string().nullable(),
  /** The form or name that the diagnostic is about, from `start` up to but excluding `end`, in UTF-16 code units. */
  start: z.int().nonnegative().nullable(),
  end: z.int().nonnegative().nullable(),
  line: z.int().positive().nullable().describe('From 1.'),
  /** The column of the position. The first line of a sent text is assumed to begin in the first column. */
  column: z
    .int()
    .nonnegative()
    .nullable()
    .describe('UTF-16 code units since the start of the line, counted from 0; texts of replies count from 1.'),
  /** The name of the enclosing top-level definition. */
  context: z.string().nullable(),
});

export const compilationResult = z.object({
  /** True if there was an error or a full warning; style warnings do not count. */
  failed: z.boolean(),
  warningsP: z.boolean(),
  /** The diagnostics in the order in which the compiler reported them, at most 500. */
  diagnostics: z.array(diagnostic),
  /** The total number of diagnostics. */
  total: z.int().nonnegative(),
  loaded: z.boolean(),
  /** The number of top-level forms that define something. */
  definitions: z.int().nonnegative(),
  /** The absolute path of the stored compiled file; null if there is none. */
  fasl: z.string().nullable(),
});

/** The result of compiling a text. If any mark is refused, nothing is loaded. */
export const textCompilationResult = compilationResult.extend({ refused: z.array(refusedMark) });

/** Optimization qualities from 0 to 3; an omitted quality keeps its current value in the image. */
export const compilationPolicy = z.object({
  speed: z.int().min(0).max(3).optional(),
  safety: z.int().min(0).max(3).optional(),
  debug: z.int().min(0).max(3).optional(),
  space: z.int().min(0).max(3).optional(),
  compilationSpeed: z.int().min(0).max(3).optional(),
  /** The quality 3 instruments the code: the image then counts which of its forms run, see `coverage`. */
  coverage: z.int().min(0).max(3).optional(),
});

export const filesDiagnostics = z.array(z.object({ file: z.string().nullable(), diagnostics: z.array(diagnostic) }));

/** The files that an evaluation compiled, with the compiler's diagnostics for each. */
export const filesCompiled = z.object({ evaluation: z.string(), files: filesDiagnostics });

/** The result of `compile-system`: the diagnostics of each file; files without diagnostics are left out. */
export const systemCompilation = z.object({
  name: z.string(),
  failed: z.boolean(),
  files: filesDiagnostics,
  /** The files that compiled without problems. */
  sound: z.array(z.string()),
  total: z.int().nonnegative(),
  /** The number of completed steps of ASDF's plan. */
  actionsDone: z.int().nonnegative(),
  loaded: z.boolean(),
  /** The loaded files as absolute paths, in load order, at most 1000. */
  loadedFiles: z.array(z.string()),
});

export type Diagnostic = z.infer<typeof diagnostic>;
export type CompilationResult = z.infer<typeof compilationResult>;
export type TextCompilationResult = z.infer<typeof textCompilationResult>;
export type SystemCompilation = z.infer<typeof systemCompilation>;
export type FilesCompiled = z.infer<typeof filesCompiled>;

export const compilationCalls = {
  /**
   * Compiles a text from the editor as if it were a file, and loads it. Output arrives as `output` events. `evaluation` is a unique id,
   * which the page chooses; `title` is the text shown in the activity. `result` is null if the image ended or the compilation did not
   * start.
   */
  'compile.text': {
    input: z.object({
      evaluation: z.string().min(8).max(64),
      title: z.string().max(300),
      text: z.string().max(CODE_LIMIT),
      package: z.string().max(1000).nullable(),
      source: sourcePlace,
      /** True if the text is the whole source. The `files-compiled` event then reports the diagnostics before the text is loaded. */
      whole: z.boolean(),
      /** True to count which forms of the code run, see `coverage.files`. */
      counts: z.boolean().optional(),
      /** True to compile for debugging; frames then keep all variables. */
      debugs: z.boolean().optional(),
      /** False to compile the text only for its diagnostics, without loading it. */
      loads: z.boolean().optional(),
      /** The forms whose values are to be recorded. */
      marks: z.array(formMark).max(200).optional(),
    }),
    output: z.object({ report: evaluationReport, result: textCompilationResult.nullable() }),
  },
} as const;
