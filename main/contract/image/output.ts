/** Calls of the page that read the complete output of the person's evaluations, part by part. */
import { z } from 'zod';

const evaluation = z.string().min(1).max(64);
const part = z.int().nonnegative();

export const outputCalls = {
  /**
   * Reads a part of the output. If the output has fewer parts, reads the last one. `printed` is null if the output is not stored; `problem`
   * gives the reason.
   */
  'output.part': {
    input: z.object({ evaluation, part }),
    output: z.object({
      problem: z.string().nullable(),
      printed: z
        .object({
          text: z.string(),
          part,
          parts: z.int().positive(),
          /** The number of line breaks before the part. `lines` is the total number of lines. */
          line: z.int().nonnegative(),
          lines: z.int().positive(),
          /** The total length in UTF-16 code units. */
          characters: z.int().nonnegative(),
        })
        .nullable(),
    }),
  },
  /** Finds the next match after a position or, with `backwards`, the last match before it; returns null if there is none. */
  'output.search': {
    input: z.object({
      evaluation,
      text: z.string().min(1).max(1000),
      matchCase: z.boolean(),
      backwards: z.boolean(),
      from: z.object({ part, offset: z.int().nonnegative() }),
    }),
    output: z
      .object({
        part,
        offset: z.int().nonnegative(),
        /** The number of line breaks before the match. */ line: z.int().nonnegative(),
      })
      .nullable(),
  },
  /** Writes the complete output to a file that the person chooses. */
  'output.save': { input: z.object({ evaluation }), output: z.object({ saved: z.boolean() }) },
  /** Stops storing an evaluation's output; all later output is only counted. The evaluation continues. */
  'output.stop': { input: z.object({ evaluation }), output: z.object({ stopped: z.boolean() }) },
  /** Deletes the output and values of entries that have left the transcript. */
  'output.forget': { input: z.object({ evaluations: z.array(evaluation).max(1000) }), output: z.object({}) },
} as const;
