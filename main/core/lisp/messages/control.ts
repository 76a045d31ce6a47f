/** The operations that the control thread answers without waiting and without running user code, and the query for the last error. */
import { z } from 'zod';
import { conditionRecord } from '#contract/image/condition.ts';
import { sourceLine } from '#contract/image/source-line.ts';
import { contextId, evaluationId } from './run.ts';

export const controlMessages = {
  /** The heartbeat. The reply also contains the figures of the status bar. */
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
  /**
   * Makes the evaluation unwind, which is the first method of stopping it. The reply to the evaluation then has the status `interrupted`.
   */
  interrupt: {
    lane: 'control',
    changes: false,
    /**
     * With `hold`, an evaluation whose errors are held is not unwound: its client gets a reply, and the evaluation waits in the debugger.
     */
    request: z.object({ evaluation: evaluationId, hold: z.boolean().optional() }),
    reply: z.object({ found: z.boolean() }),
  },
  /** Ends the evaluation's thread, which is the second method of stopping it; a new worker takes over. */
  terminate: {
    lane: 'control',
    changes: false,
    request: z.object({ evaluation: evaluationId }),
    reply: z.object({ found: z.boolean() }),
  },
  /**
   * Unwinds an evaluation completely, out of all levels of the debugger. An evaluation that is already unwinding is not interrupted again.
   */
  'give-up': {
    lane: 'control',
    changes: false,
    request: z.object({ evaluation: evaluationId }),
    reply: z.object({ found: z.boolean() }),
  },
  /** Stops sending an evaluation's output; all later output is only counted. */
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
  /** Returns the context's current package, for a prompt. */
  'current-package': {
    lane: 'control',
    changes: false,
    request: z.object({ context: contextId }),
    reply: z.object({ package: z.string() }),
  },
  /** Makes a package the context's current one, if the image has that package. Returns the current package. */
  'enter-package': {
    lane: 'control',
    changes: true,
    request: z.object({ context: contextId, package: z.string().max(1000) }),
    reply: z.object({ package: z.string() }),
  },
  /**
   * Restores the standard reader and printer variables, for the context and globally. The current package and the history do not change.
   */
  'reset-reader': {
    lane: 'control',
    changes: true,
    request: z.object({ context: contextId }),
    reply: z.object({}),
  },
  /**
   * Returns the context's last error; null if there was none. `places` are the source locations of the error's frames, in order; null for
   * code that is not in a file.
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
