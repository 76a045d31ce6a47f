/** Calls about the HyperSpec: they open its pages in the system's browser, and check the person's own copy of it. */
import { z } from 'zod';

import { hyperspecTopic } from './topics.ts';

/** A URL or folder as the person entered it. */
export const hyperspecPlace = z.string().max(1000);

export const hyperspecCalls = {
  /** Opens the page of a topic. If that fails, the error gives the reason and a way to fix it. */
  'hyperspec.open': { input: hyperspecTopic, output: z.object({ address: z.string() }) },
  /**
   * Checks whether a URL or folder can be a copy of the HyperSpec. Returns `place` in its stored form, or a sentence that describes the
   * problem.
   */
  'hyperspec.check': {
    input: z.object({ place: hyperspecPlace }),
    output: z.union([
      z.object({ place: hyperspecPlace, problem: z.null() }),
      z.object({ place: z.null(), problem: z.string() }),
    ]),
  },
  /** Lets the person choose the folder of a copy. Returns null if they cancel. */
  'hyperspec.chooseFolder': { input: z.object({}), output: z.object({ folder: z.string().nullable() }) },
} as const;
