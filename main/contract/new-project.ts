/** A new project: what the person says of it, and what becomes of it. */
import { z } from 'zod';

/** The framework of its tests: none, FiveAM, or RT, which SBCL brings along. */
const testFramework = z.enum(['none', 'fiveam', 'rt']);

const LINE = 300;
const line = z.string().max(LINE);

export const newProject = z.object({
  name: z.string().max(LINE),
  /** Absolute path of the folder in which the project's own folder is made. */
  place: z.string().max(4096),
  description: line,
  author: line,
  license: line,
  tests: testFramework,
});

export const createdProject = z.discriminatedUnion('created', [
  /** `source`: the absolute path of the file to begin in. */
  z.object({ created: z.literal(true), path: z.string(), source: z.string() }),
  /** A refusal, because of a field: the disk has nothing of the project. */
  z.object({ created: z.literal(false), field: z.enum(['name', 'place']), problem: z.string() }),
]);

export type NewProject = z.infer<typeof newProject>;
export type CreatedProject = z.infer<typeof createdProject>;
export type TestFramework = z.infer<typeof testFramework>;
