/** What the control thread answers by itself, without waiting and without running user code. */
import { z } from 'zod';
import { conditionRecord } from '#contract/condition.ts';
import { contextId, evaluationId } from './run.ts';

export const controlMessages = {
  /** Heartbeat; also the figures of the status bar. */
  ping: {
    lane: 'control',
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
    request: z.object({ evaluation: evaluationId }),
    reply: z.object({ found: z.boolean() }),
  },
  /** End the evaluation's thread (second step of the ladder); a fresh worker takes over. */
  terminate: {
    lane: 'control',
    request: z.object({ evaluation: evaluationId }),
    reply: z.object({ found: z.boolean() }),
  },
  /** Answer an `input-requested` event. `text: null` is end of file. */
  input: {
    lane: 'control',
    request: z.object({ evaluation: evaluationId, text: z.string().nullable() }),
    reply: z.object({ found: z.boolean() }),
  },
  /** Drop a context that nobody will use again. */
  'forget-context': {
    lane: 'control',
    request: z.object({ context: contextId }),
    reply: z.object({ found: z.boolean() }),
  },
  /** The context's current package, for a prompt. */
  'current-package': {
    lane: 'control',
    request: z.object({ context: contextId }),
    reply: z.object({ package: z.string() }),
  },
  /** Standard reader and printer variables again, for the context and globally; package and history stay. */
  'reset-reader': {
    lane: 'control',
    request: z.object({ context: contextId }),
    reply: z.object({}),
  },
  /** The context's last error, null when there was none. */
  'last-error': {
    lane: 'control',
    request: z.object({ context: contextId }),
    reply: z.object({ condition: conditionRecord.nullable(), code: z.string().nullable() }),
  },
  /** Drop the handles that are held for an evaluation, an inspector or a debugger. */
  release: {
    lane: 'control',
    request: z.object({ holder: z.string() }),
    reply: z.object({ found: z.boolean() }),
  },
} as const;
