/** The calls about the HyperSpec: its pages are opened by the system's browser, and the person's copy of it is looked at. */
import { z } from 'zod';

import { hyperspecTopic } from './topics.ts';

/** An address or a folder as the person writes it. */
export const hyperspecPlace = z.string().max(1000);

export const hyperspecCalls = {
  /** Opens the page of a topic. Fails with a sentence that says why none could be opened, and what to do. */
  'hyperspec.open': { input: hyperspecTopic, output: z.object({ address: z.string() }) },
  /** Looks whether an address or a folder can be that of the HyperSpec: `place` in the form that is kept, or the problem in a sentence. */
  'hyperspec.check': {
    input: z.object({ place: hyperspecPlace }),
    output: z.union([
      z.object({ place: hyperspecPlace, problem: z.null() }),
      z.object({ place: z.null(), problem: z.string() }),
    ]),
  },
  /** Has the person choose the folder of a copy; null where they chose none. */
  'hyperspec.chooseFolder': { input: z.object({}), output: z.object({ folder: z.string().nullable() }) },
} as const;
