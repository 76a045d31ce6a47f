/** The operations that the control thread answers by itself, without waiting and without running user code; and the last error. */
import { z } from 'zod';
import { conditionRecord } from '#contract/image/condition.ts';
import { sourceLine } from '#contract/image/source-line.ts';
import { contextId, evaluationId } from './run.ts';

export const controlMessages = {
  /** Heartbeat; also the figures of the status bar. */
  ping: {
    lane: 'control',
    changes: false,
    request: z.object({}),
    reply: z.object({
      heapUsed: z.number(),
      heapSize: z.number(),
      threads: z.int(),
      evaluating: evaluationId.nullable(),
    }),
  },
  /** Ask the evaluation to unwind (first step of the ladder). Its own reply then has status `interrupted`. */
  interrupt: {
    lane: 'control',
    changes: false,
    /** `hold`: an evaluation whose error is held waits in the debugger instead, with its answer given. */
    request: z.object({ evaluation: evaluationId, hold: z.boolean().optional() }),
    reply: z.object({ found: z.boolean() }),
  },
  /** End the evaluation's thread (second step of the ladder); a fresh worker takes over. */
  terminate: {
    lane: 'control',
    changes: false,
    request: z.object({ evaluation: evaluationId }),
    reply: z.object({ found: z.boolean() }),
  },
  /** Unwind an evaluation for good, from all levels of the debugger; one that is unwinding already is not interrupted again. */
  'give-up': {
    lane: 'control',
    changes: false,
    request: z.object({ evaluation: evaluationId }),
    reply: z.object({ found: z.boolean() }),
  },
  /** Send no more of what the evaluation prints; the rest of it is only counted. */
  'discard-output': {
    lane: 'control',
    changes: false,
    request: z.object({ evaluation: evaluationId }),
    reply: z.object({ found: z.boolean() }),
  },
  /** Answer an `input-requested` event. `text: null` is end of file. */
  input: {
    lane: 'control',
    changes: false,
    request: z.object({ evaluation: evaluationId, text: z.string().nullable() }),
    reply: z.object({ found: z.boolean() }),
  },
  /** Drop a context that nobody will use again. */
  'forget-context': {
    lane: 'control',
    changes: true,
    request: z.object({ context: contextId }),
    reply: z.object({ found: z.boolean() }),
  },
  /** The context's current package, for a prompt. */
  'current-package': {
    lane: 'control',
    changes: false,
    request: z.object({ context: contextId }),
    reply: z.object({ package: z.string() }),
  },
  /** Makes a package the context's current one where the image has it; gives the current one. */
  'enter-package': {
    lane: 'control',
    changes: true,
    request: z.object({ context: contextId, package: z.string().max(1000) }),
    reply: z.object({ package: z.string() }),
  },
  /** Standard reader and printer variables again, for the context and globally; package and history stay. */
  'reset-reader': {
    lane: 'control',
    changes: true,
    request: z.object({ context: contextId }),
    reply: z.object({}),
  },
  /** The context's last error, null when there was none. `places`: where its frames stand, in their order; null for what is in no file. */
  'last-error': {
    lane: 'looking-up',
    changes: false,
    request: z.object({ context: contextId }),
    reply: z.object({
      condition: conditionRecord.nullable(),
      code: z.string().nullable(),
      places: z.array(sourceLine.nullable()),
    }),
  },
  /** Drop the handles that are held for an evaluation, an inspector or a debugger. */
  release: {
    lane: 'control',
    changes: false,
    request: z.object({ holder: z.string() }),
    reply: z.object({ found: z.boolean() }),
  },
} as const;
