/** Recorded values: the results of marked forms, recorded each time such a form is evaluated. */
import { z } from 'zod';
import { handle, pane } from '#contract/image/inspection.ts';

/** The page's own unique id for a marked form. */
export const markedForm = z.string().regex(/^[\w-]{8,64}$/);

/** A form whose values are to be recorded, given by its offsets in the text in UTF-16 code units. */
export const formMark = z.object({ form: markedForm, start: z.int().nonnegative(), end: z.int().positive() });

/** A mark that cannot be applied. If there is any such mark, nothing of the text is loaded. `reason` is a sentence for the person. */
export const refusedMark = z.object({ form: markedForm, reason: z.string() });

/** An evaluation of a marked form. The objects are only printed when they are requested, so they appear in their state at that time. */
const recordedEvaluation = z.object({
  form: markedForm,
  /** The sequence number of this evaluation among the evaluations of all marked forms. */
  order: z.int().positive(),
  /** The time at which the evaluation ended, in Unix milliseconds. */
  at: z.number(),
  thread: z.string(),
  /** The system's thread id; null if there is none. */
  threadId: z.int().nullable(),
  /** The id of the actor whose evaluation evaluated the form; null for code outside any evaluation. */
  actor: z.string().nullable(),
  /** How the evaluation ended. `condition`: with an error, which is then the only value; `exit`: with another non-local exit. */
  kind: z.enum(['values', 'condition', 'exit']),
  /** The values, each printed on one line; at most 20. */
  values: z.array(z.string()),
  /** The number of omitted values. */
  more: z.int().nonnegative(),
});

/** The number of evaluations of a marked form, and the latest one. */
export const recording = z.object({
  form: markedForm,
  count: z.int().nonnegative(),
  latest: recordedEvaluation.nullable(),
});

/** The evaluations, latest first. `kept` is the number of stored evaluations, `count` the total number. */
export const recordedEvaluations = z.object({
  evaluations: z.array(recordedEvaluation),
  kept: z.int().nonnegative(),
  count: z.int().nonnegative(),
});

/** For each marked form, the number of its evaluations so far. */
export const recordedCounts = z.object({
  forms: z.array(z.object({ form: markedForm, count: z.int().positive() })),
});

/** Marks that no longer exist, because the surrounding definition was redefined without marks. */
export const endedRecordings = z.object({ forms: z.array(markedForm) });

export type FormMark = z.infer<typeof formMark>;
export type RecordedEvaluation = z.infer<typeof recordedEvaluation>;

const inPackage = z.string().max(1000).nullable();

export const recordingCalls = {
  /** Lists the marked forms that the image knows. Values are printed relative to `package`. */
  'recordings.list': {
    asks: 'recordings',
    input: z.object({ package: inPackage }),
    output: z.object({ forms: z.array(recording) }).nullable(),
  },
  /**
   * Lists the latest evaluations of all marked forms, in order. With `before`, lists the evaluations that precede the one with that number.
   */
  'recordings.evaluations': {
    asks: 'recorded-evaluations',
    input: z.object({
      before: z.int().positive().nullable(),
      limit: z.int().min(1).max(2000),
      package: inPackage,
    }),
    output: recordedEvaluations.nullable(),
  },
  /** Retains a value of an evaluation, given by its index, for an inspector pane; returns null if the value is no longer stored. */
  'recordings.hold': {
    input: z.object({ form: markedForm, order: z.int().positive(), index: z.int().nonnegative(), pane }),
    output: z.object({ handle: handle.nullable() }).nullable(),
  },
  /** Deletes the recordings of these forms. Code compiled with their marks keeps running, but is no longer recorded. */
  'recordings.forget': {
    asks: 'forget-recordings',
    input: z.object({ forms: z.array(markedForm).max(1000) }),
    output: z.object({}).nullable(),
  },
} as const;

export const recordingEvents = {
  /** Marked forms were evaluated. Sent at most twice a second, and always before the reply to an evaluation. */
  'values-recorded': recordedCounts,
  /** Definitions were redefined without their marks. */
  'recordings-ended': endedRecordings,
} as const;
