/** One event of the activity stream: what happened, once, in the past tense. */
import { z } from 'zod';
import { actor } from './session.ts';
import { safetyLevel } from './tool.ts';

const base = {
  /** Milliseconds since the epoch. */
  at: z.number(),
  seq: z.int().positive(),
  actor,
  session: z.string().nullable(),
  /** `call` of the event that this one belongs to, so that rows can nest. */
  parent: z.string().nullable(),
};

export const activityEvent = z.discriminatedUnion('kind', [
  z.object({
    ...base,
    kind: z.literal('call-started'),
    call: z.string(),
    tool: z.string(),
    level: safetyLevel,
    summary: z.string(),
  }),
  z.object({
    ...base,
    kind: z.literal('call-finished'),
    call: z.string(),
    tool: z.string(),
    success: z.boolean(),
    pending: z.boolean(),
    summary: z.string(),
    tookMs: z.number(),
    bytes: z.int(),
  }),
  z.object({
    ...base,
    kind: z.literal('evaluation-started'),
    evaluation: z.string(),
    code: z.string(),
    origin: z.string(),
  }),
  z.object({
    ...base,
    kind: z.literal('evaluation-finished'),
    evaluation: z.string(),
    status: z.enum(['ok', 'error', 'interrupted', 'lost']),
    summary: z.string(),
    tookMs: z.number(),
  }),
  z.object({
    ...base,
    kind: z.literal('approval-requested'),
    approval: z.string(),
    tool: z.string(),
    summary: z.string(),
  }),
  z.object({
    ...base,
    kind: z.literal('approval-decided'),
    approval: z.string(),
    tool: z.string(),
    decision: z.enum(['approved', 'denied', 'modified', 'unknown']),
    by: z.string(),
    reason: z.string().nullable(),
    summary: z.string(),
  }),
  /** Something that an agent's code did, or was kept from doing, outside the image. */
  z.object({
    ...base,
    kind: z.literal('effect'),
    evaluation: z.string().nullable(),
    effect: z.string(),
    operator: z.string(),
    target: z.string(),
    outcome: z.string(),
    /** What decided about it, in words. */
    rule: z.string(),
  }),
  /** An approved change of a file was taken back, or could not be. */
  z.object({
    ...base,
    kind: z.literal('approval-undone'),
    approval: z.string(),
    success: z.boolean(),
    summary: z.string(),
  }),
  z.object({
    ...base,
    kind: z.literal('definitions-changed'),
    evaluation: z.string().nullable(),
    packages: z.array(z.string()),
  }),
  z.object({
    ...base,
    kind: z.literal('session-changed'),
    change: z.enum(['started', 'ended', 'restarted', 'reset', 'rewound', 'checkpoint', 'failed']),
    summary: z.string(),
  }),
  z.object({
    ...base,
    kind: z.literal('client-changed'),
    change: z.enum([
      'admitted',
      'connected',
      'disconnected',
      'minted',
      'revoked',
      'refused',
      'paused',
      'resumed',
      'changed',
    ]),
    summary: z.string(),
  }),
  z.object({
    ...base,
    kind: z.literal('server-changed'),
    change: z.enum(['started', 'stopped', 'failed']),
    summary: z.string(),
  }),
]);

type Distribute<Event, Keys extends string> = Event extends unknown ? Omit<Event, Keys> : never;

export type ActivityEvent = z.infer<typeof activityEvent>;
export type ActivityKind = ActivityEvent['kind'];
/** What a publisher states; the stream adds time and sequence. */
export type ActivityFact = Distribute<ActivityEvent, 'at' | 'seq' | 'parent' | 'session'> & {
  parent?: string | null;
  session?: string | null;
};
