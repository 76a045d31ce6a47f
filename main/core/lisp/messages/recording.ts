/**
 * The recorded values of marked forms. `compile-text` sets the marks. For each form, the values of its latest 1000 evaluations are stored.
 */
import { z } from 'zod';
import { markedForm, recordedEvaluations, recording } from '#contract/image/observation/recording.ts';

/** The package in which values are printed; null for CL-USER. */
const inPackage = z.string().nullable();

export const recordingMessages = {
  recordings: {
    lane: 'looking-up',
    changes: false,
    request: z.object({ package: inPackage }),
    reply: z.object({ forms: z.array(recording) }),
  },
  'recorded-evaluations': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ before: z.int().positive().nullable(), limit: z.int().positive(), package: inPackage }),
    reply: recordedEvaluations,
  },
  'hold-recorded': {
    lane: 'looking-up',
    changes: false,
    request: z.object({
      form: markedForm,
      order: z.int().positive(),
      index: z.int().nonnegative(),
      holder: z.string(),
    }),
    reply: z.object({ handle: z.int().nullable() }),
  },
  'forget-recordings': {
    lane: 'looking-up',
    changes: true,
    request: z.object({ forms: z.array(markedForm) }),
    reply: z.object({}),
  },
} as const;
