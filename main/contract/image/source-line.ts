/** Lines of source files. */
import { z } from 'zod';

/** A line of a file: the absolute path and the line number, from 1. */
export const sourceLine = z.object({ file: z.string(), line: z.int().positive() });

export type SourceLine = z.infer<typeof sourceLine>;
