/** The page's calls about the whole output of the person's evaluations, a part at a time. */
import { z } from 'zod';

const evaluation = z.string().min(1).max(64);
const part = z.int().nonnegative();

export const outputCalls = {
  /** Reads a part, or the last one where there are not so many; null when the output is not kept, `problem` says why. */
  'output.part': {
    input: z.object({ evaluation, part }),
    output: z.object({
      problem: z.string().nullable(),
      printed: z
        .object({
          text: z.string(),
          part,
          parts: z.int().positive(),
          /** Line breaks before the part, and lines in all. */
          line: z.int().nonnegative(),
          lines: z.int().positive(),
          /** UTF-16 code units in all. */
          characters: z.int().nonnegative(),
        })
        .nullable(),
    }),
  },
  /** Finds the next match from a place on, or the last one before it; null when there is none. */
  'output.search': {
    input: z.object({
      evaluation,
      text: z.string().min(1).max(1000),
      matchCase: z.boolean(),
      backwards: z.boolean(),
      from: z.object({ part, offset: z.int().nonnegative() }),
    }),
    output: z
      .object({ part, offset: z.int().nonnegative(), /** Line breaks before it. */ line: z.int().nonnegative() })
      .nullable(),
  },
  /** Writes all of it to a file that the person chooses. */
  'output.save': { input: z.object({ evaluation }), output: z.object({ saved: z.boolean() }) },
  /** Has what an evaluation prints from now on counted only; it goes on. */
  'output.stop': { input: z.object({ evaluation }), output: z.object({ stopped: z.boolean() }) },
  /** Entries have left the transcript: what they printed and returned is not kept any longer. */
  'output.forget': { input: z.object({ evaluations: z.array(evaluation).max(1000) }), output: z.object({}) },
} as const;
