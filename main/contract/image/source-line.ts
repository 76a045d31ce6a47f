/** Lines of source files. */
import { z } from 'zod';

/** A line of a file, from 1, by the file's absolute path. */
export const sourceLine = z.object({ file: z.string(), line: z.int().positive() });

export type SourceLine = z.infer<typeof sourceLine>;
