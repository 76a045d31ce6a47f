/** Compiling texts and files. A run that ended with an error still has its `result`: what was said until then. */
import { z } from 'zod';
import { compilationPolicy, compilationResult } from '#contract/compilation.ts';
import { sourcePlace } from '#contract/evaluation.ts';
import { runReply, runRequest } from './run.ts';

export const compilationMessages = {
  /** Compile a text as a file is compiled; its definitions then stand in `source`. No compiled file is left. */
  'compile-text': {
    lane: 'worker',
    request: runRequest.extend({
      text: z.string(),
      /** In which it is read; null: the context's current package. */
      package: z.string().nullable(),
      source: sourcePlace.nullable(),
      /** Loads what was compiled, failed or not, unless the text could not be read. */
      load: z.boolean(),
      policy: compilationPolicy.nullable(),
    }),
    reply: runReply(compilationResult),
  },
  /** Compile a file into the directory where ASDF keeps compiled files, or to `output`. Kept unless it failed. */
  'compile-file': {
    lane: 'worker',
    request: runRequest.extend({
      file: z.string(),
      /** In which it begins to be read; CL-USER when left out. */
      package: z.string().optional(),
      load: z.boolean(),
      /** null: utf-8. */
      externalFormat: z.string().nullable(),
      output: z.string().nullable(),
    }),
    reply: runReply(compilationResult),
  },
} as const;
