/** Compiling texts and files. A run that ended with an error still has its `result`: what was said until then. */
import { z } from 'zod';
import { compilationPolicy, compilationResult, textCompilationResult } from '#contract/image/compilation.ts';
import { sourcePlace } from '#contract/image/evaluation.ts';
import { formMark } from '#contract/image/observation/recording.ts';
import { evaluatedForm } from './evaluation.ts';
import { runReply, runRequest } from './run.ts';

export const compilationMessages = {
  /** Compile a text as a file is compiled; its definitions then stand in `source`. No compiled file is left. */
  'compile-text': {
    lane: 'worker',
    request: runRequest.extend({
      text: z.string(),
      /** The package in which the text is read; null for the context's current one. */
      package: z.string().nullable(),
      source: sourcePlace.nullable(),
      /** Loads what was compiled, failed or not, unless the text could not be read. */
      load: z.boolean(),
      policy: compilationPolicy.nullable(),
      /** The text is all of its source: what the compiler says of it is told before it is loaded, which may stop in the debugger. */
      whole: z.boolean().optional(),
      /** Reads of the code that is loaded are asked of the person; otherwise they see the end of file. */
      interactive: z.boolean().optional(),
      /** The forms whose values are to be recorded; other marks of what the text defines end. */
      marks: z.array(formMark).optional(),
    }),
    /** `forms`: those at the top level that define or register something. */
    reply: runReply(textCompilationResult.extend({ forms: z.array(evaluatedForm) })),
  },
  /** Compile a file into the directory where ASDF keeps compiled files, or to `output`. Kept unless it failed. */
  'compile-file': {
    lane: 'worker',
    request: runRequest.extend({
      file: z.string(),
      /** The package in which the file begins to be read; CL-USER when left out. */
      package: z.string().optional(),
      load: z.boolean(),
      /** The encoding of the file; null means utf-8. */
      externalFormat: z.string().nullable(),
      output: z.string().nullable(),
    }),
    reply: runReply(compilationResult),
  },
} as const;
