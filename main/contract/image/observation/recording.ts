/** Recorded values: what marked forms gave, each time they were evaluated. */
import { z } from 'zod';
import { handle, pane } from '#contract/image/inspection.ts';

/** The page's own name for a marked form, which no other has. */
export const markedForm = z.string().regex(/^[\w-]{8,64}$/);

/** A form of a text whose values are to be recorded; offsets in the text, in UTF-16 code units. */
export const formMark = z.object({ form: markedForm, start: z.int().nonnegative(), end: z.int().positive() });

/** A mark that a text cannot have: nothing of it is loaded then. `reason` is a sentence for the person. */
export const refusedMark = z.object({ form: markedForm, reason: z.string() });

/** One evaluation of a marked form. Its objects are printed when they are told, as they are then. */
const recordedEvaluation = z.object({
  form: markedForm,
  /** Counts the evaluations of all marked forms. */
  order: z.int().positive(),
  /** The moment of its end, in Unix milliseconds. */
  at: z.number(),
  thread: z.string(),
  /** The system's; null where it has none. */
  threadId: z.int().nullable(),
  /** The id of whoever evaluates; null for code that belongs to no evaluation. */
  actor: z.string().nullable(),
  /** `condition`: an error left the form, and is its only value. `exit`: another non-local exit did. */
  kind: z.enum(['values', 'condition', 'exit']),
  /** The values, each on one line; 20 at most. */
  values: z.array(z.string()),
  /** The number of further values. */
  more: z.int().nonnegative(),
});

/** How often a marked form was evaluated, and its latest evaluation. */
export const recording = z.object({
  form: markedForm,
  count: z.int().nonnegative(),
  latest: recordedEvaluation.nullable(),
});

/** The latest evaluations first. `kept` are all that are kept, `count` all that there were. */
export const recordedEvaluations = z.object({
  evaluations: z.array(recordedEvaluation),
  kept: z.int().nonnegative(),
  count: z.int().nonnegative(),
});

/** How often the marked forms were evaluated so far. */
export const recordedCounts = z.object({
  forms: z.array(z.object({ form: markedForm, count: z.int().positive() })),
});

/** Marks that ended, since the definition around them was made anew without them. */
export const endedRecordings = z.object({ forms: z.array(markedForm) });

export type FormMark = z.infer<typeof formMark>;
export type RecordedEvaluation = z.infer<typeof recordedEvaluation>;

const inPackage = z.string().max(1000).nullable();

export const recordingCalls = {
  /** Lists the marked forms that the image knows. Values are printed in the package. */
  'recordings.list': {
    asks: 'recordings',
    input: z.object({ package: inPackage }),
    output: z.object({ forms: z.array(recording) }).nullable(),
  },
  /** Lists the latest evaluations of all marked forms in their order, or with `before` those before that one. */
  'recordings.evaluations': {
    asks: 'recorded-evaluations',
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
    asks: 'forget-recordings',
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
