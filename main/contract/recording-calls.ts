/** The page's calls about recorded values. Marks are set by `compile.text`; each call gives null where no image is up. */
import { z } from 'zod';
import { handle, pane } from './inspector-calls.ts';
import { endedRecordings, markedForm, recordedCounts, recordedEvaluations, recording } from './recording.ts';

const inPackage = z.string().max(1000).nullable();

export const recordingCalls = {
  /** Lists the marked forms that the image knows. Values are printed in the package. */
  'recordings.list': {
    input: z.object({ package: inPackage }),
    output: z.object({ forms: z.array(recording) }).nullable(),
  },
  /** Lists the latest evaluations of all marked forms in their order, or with `before` those before that one. */
  'recordings.evaluations': {
    input: z.object({
      before: z.int().positive().nullable(),
      limit: z.int().min(1).max(2000),
      package: inPackage,
    }),
    output: recordedEvaluations.nullable(),
  },
  /** Holds a value of an evaluation, by its place among the values, for a pane of the inspector; null when it is not kept any more. */
  'recordings.hold': {
    input: z.object({ form: markedForm, order: z.int().positive(), index: z.int().nonnegative(), pane }),
    output: z.object({ handle: handle.nullable() }).nullable(),
  },
  /** Lets go of what was recorded of these forms. Code that is compiled with their marks goes on, unheard. */
  'recordings.forget': {
    input: z.object({ forms: z.array(markedForm).max(1000) }),
    output: z.object({}).nullable(),
  },
} as const;

export const recordingEvents = {
  /** Marked forms were evaluated: at most twice a second, and before the answer of an evaluation. */
  'values-recorded': recordedCounts,
  /** Definitions were made anew without their marks. */
  'recordings-ended': endedRecordings,
} as const;
