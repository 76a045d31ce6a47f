/** A new project: the person's input, and the result of creating it. */
import { z } from 'zod';

/** The test framework of the project: none, FiveAM, or RT, which comes with SBCL. */
const testFramework = z.enum(['none', 'fiveam', 'rt']);

const LINE = 300;
const line = z.string().max(LINE);

export const newProject = z.object({
  name: z.string().max(LINE),
  /** The absolute path of the folder in which the project's own folder is created. */
  place: z.string().max(4096),
  description: line,
  author: line,
  license: line,
  tests: testFramework,
});

export const createdProject = z.discriminatedUnion('created', [
  /** The created project. `source`: the absolute path of the first file to edit. */
  z.object({ created: z.literal(true), path: z.string(), source: z.string() }),
  /** An invalid field. No file or folder was created. */
  z.object({ created: z.literal(false), field: z.enum(['name', 'place']), problem: z.string() }),
]);

export type NewProject = z.infer<typeof newProject>;
export type CreatedProject = z.infer<typeof createdProject>;
export type TestFramework = z.infer<typeof testFramework>;
