/** An event of the activity stream. It records one thing that happened, in the past tense. */
import { z } from 'zod';
import { definitionEventKind } from '#contract/image/definition.ts';
import { actor } from '#contract/image/session.ts';
import { safetyLevel } from '#contract/clients/tool.ts';

const base = {
  /** Milliseconds since the epoch. */
  at: z.number(),
  seq: z.int().positive(),
  actor,
  session: z.string().nullable(),
  /** The `call` of the event to which this one belongs. It lets rows be nested. */
  parent: z.string().nullable(),
};

/** A changed definition. `event` identifies the change while its image exists; `life` is the number of that image within the session. */
const changedDefinition = z.object({
  event: z.int(),
  life: z.int(),
  kind: definitionEventKind,
  name: z.string(),
  package: z.string().nullable(),
  operation: z.enum(['defined', 'redefined', 'removed']),
  /** The event that this one undid. */
  undoes: z.int().nullable(),
});

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
    /** The reason why the effect needed approval, in words. */
    rule: z.string(),
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
  /** An action outside the image by an agent's code, done or prevented. */
  z.object({
    ...base,
    kind: z.literal('effect'),
    evaluation: z.string().nullable(),
    effect: z.string(),
    operator: z.string(),
    target: z.string(),
    outcome: z.string(),
    /** The rule or person that decided about the action, in words. */
    rule: z.string(),
  }),
  /** An approved change of a file was reverted, or reverting failed. */
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
    /** The evaluation or tool call in which the definitions changed. */
    evaluation: z.string().nullable(),
    /** The definitions, in the order of their events. */
    definitions: z.array(changedDefinition),
    /** The number of definitions that are not listed. */
    more: z.int().nonnegative(),
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
    change: z.enum(['started', 'stopped', 'failed', 'refused']),
    summary: z.string(),
  }),
]);

/** A revertible file change by an approved call, and the state that the file has after the revert. */
export const takeable = z.object({
  approval: z.string(),
  /** The path of the file relative to the project. */
  file: z.string(),
  becomes: z.string(),
  /** False if the file was changed again later. */
  possible: z.boolean(),
});

/** The details that are left out in the row of a call or evaluation. */
export const activityDetail = z.object({
  /** The id of the call or the evaluation. */
  id: z.string(),
  arguments: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The complete evaluated code; null if no code was evaluated, or it was too long to store. */
  code: z.string().nullable(),
  /** The package in which the code was read; null if the caller did not name one. */
  package: z.string().nullable(),
  /**
   * The printed values of the evaluation; `cut` is the number of missing characters. Null before the evaluation ends and after an error.
   */
  values: z.array(z.object({ text: z.string(), cut: z.int() })).nullable(),
  /** The answer that the client received. */
  result: z.string().nullable(),
});

/** The state of the audit, the record of the activity on disk. */
export const auditState = z.object({
  /** The number of events of this run. */
  rows: z.int().nonnegative(),
  /** The digest of the last line; null before the first line. */
  hash: z.string().nullable(),
  /** The location where the chain is broken, or the reason why the audit cannot be written; null if there is no problem. */
  problem: z.string().nullable(),
});

export type Takeable = z.infer<typeof takeable>;
export type ActivityDetail = z.infer<typeof activityDetail>;
export type AuditState = z.infer<typeof auditState>;
export type ChangedDefinition = z.infer<typeof changedDefinition>;
type Distribute<Event, Keys extends string> = Event extends unknown ? Omit<Event, Keys> : never;

export type ActivityEvent = z.infer<typeof activityEvent>;
/** An event in the form in which it is published; the stream adds the time and the sequence number. */
export type ActivityFact = Distribute<ActivityEvent, 'at' | 'seq' | 'parent' | 'session'> & {
  parent?: string | null;
  session?: string | null;
};
