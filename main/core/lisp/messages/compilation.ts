/** Compiling source text and files. A run that ended with an error still has its `result`: the diagnostics up to that point. */
import { z } from 'zod';
import { compilationPolicy, compilationResult, textCompilationResult } from '#contract/image/compilation.ts';
import { sourcePlace } from '#contract/image/evaluation.ts';
import { formMark } from '#contract/image/observation/recording.ts';
import { evaluatedForm } from './evaluation.ts';
import { runReply, runRequest } from './run.ts';

export const compilationMessages = {
  /**
   * Compiles source text as if it were in a file. Its definitions get `source` as their location. The compiled file is deleted afterwards.
   */
  'compile-text': {
    lane: 'worker',
    request: runRequest.extend({
      text: z.string(),
      /** The package in which the text is read; null for the context's current one. */
      package: z.string().nullable(),
      source: sourcePlace.nullable(),
      /** True to load the compiled code even if compilation failed, but not if the text was unreadable. */
      load: z.boolean(),
      policy: compilationPolicy.nullable(),
      /**
       * True if the text is the whole source. The compiler's diagnostics are then sent before the code is loaded, because loading may stop
       * in the debugger.
       */
      whole: z.boolean().optional(),
      /** True if input for the loaded code comes from the person; otherwise reads return end of file. */
      interactive: z.boolean().optional(),
      /** The forms whose values are to be recorded. Other marks in the definitions of the text are removed. */
      marks: z.array(formMark).optional(),
    }),
    /** `forms` contains the top-level forms that define or register something. */
    reply: runReply(textCompilationResult.extend({ forms: z.array(evaluatedForm) })),
  },
  /** Compiles a file into ASDF's directory for compiled files, or to `output`. If compilation succeeds, the compiled file is kept. */
  'compile-file': {
    lane: 'worker',
    request: runRequest.extend({
      file: z.string(),
      /** The current package at the start of the file; CL-USER if omitted. */
      package: z.string().optional(),
      load: z.boolean(),
      /** The encoding of the file; null means utf-8. */
      externalFormat: z.string().nullable(),
      output: z.string().nullable(),
    }),
    reply: runReply(compilationResult),
  },
} as const;
