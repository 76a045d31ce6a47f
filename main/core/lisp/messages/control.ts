/** The operations that the control thread answers without waiting and without running user code; and the last error. */
import { z } from 'zod';
import { conditionRecord } from '#contract/image/condition.ts';
import { sourceLine } from '#contract/image/source-line.ts';
import { contextId, evaluationId } from './run.ts';

export const controlMessages = {
  /** Heartbeat. The reply also contains the figures of the status bar. */
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
  /** Asks the evaluation to unwind (the first step of the ladder). Its own reply then has the status `interrupted`. */
  interrupt: {
    lane: 'control',
    changes: false,
    /** With `hold`, an evaluation that holds its errors waits in the debugger instead of unwinding, and its client gets its answer. */
    request: z.object({ evaluation: evaluationId, hold: z.boolean().optional() }),
    reply: z.object({ found: z.boolean() }),
  },
  /** Ends the evaluation's thread (the second step of the ladder); a new worker takes over. */
  terminate: {
    lane: 'control',
    changes: false,
    request: z.object({ evaluation: evaluationId }),
    reply: z.object({ found: z.boolean() }),
  },
  /**
   * Unwinds an evaluation completely, out of all levels of the debugger. An evaluation that is unwinding already is not interrupted again.
   */
  'give-up': {
    lane: 'control',
    changes: false,
    request: z.object({ evaluation: evaluationId }),
    reply: z.object({ found: z.boolean() }),
  },
  /** Stops sending an evaluation's output; the rest of it is only counted. */
  'discard-output': {
    lane: 'control',
    changes: false,
    request: z.object({ evaluation: evaluationId }),
    reply: z.object({ found: z.boolean() }),
  },
  /** Answers an `input-requested` event. `text: null` is end of file. */
  input: {
    lane: 'control',
    changes: false,
    request: z.object({ evaluation: evaluationId, text: z.string().nullable() }),
    reply: z.object({ found: z.boolean() }),
  },
  /** Discards a context that will not be used again. */
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
  /** Makes a package the context's current one if the image has it; returns the current package. */
  'enter-package': {
    lane: 'control',
    changes: true,
    request: z.object({ context: contextId, package: z.string().max(1000) }),
    reply: z.object({ package: z.string() }),
  },
  /** Restores the standard reader and printer variables, for the context and globally; package and history stay. */
  'reset-reader': {
    lane: 'control',
    changes: true,
    request: z.object({ context: contextId }),
    reply: z.object({}),
  },
  /**
   * The context's last error; null if there was none. `places` are the source locations of its frames, in order; null for code outside any
   * file.
   */
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
  /** Releases the handles that are held for an evaluation, an inspector or a debugger. */
  release: {
    lane: 'control',
    changes: false,
    request: z.object({ holder: z.string() }),
    reply: z.object({ found: z.boolean() }),
  },
} as const;
