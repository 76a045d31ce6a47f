/** The page's calls that compile: a text of the editor, or a whole system, with what the compiler says at its places. */
import { z } from 'zod';
import { textCompilationResult } from './compilation.ts';
import { evaluationReport, sourcePlace } from './evaluation.ts';
import { formMark } from './recording.ts';
import { CODE_LIMIT } from './limits.ts';

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
