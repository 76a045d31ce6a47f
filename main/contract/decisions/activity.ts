/** One event of the activity stream: what happened, once, in the past tense. */
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
  /** `call` of the event that this one belongs to, so that rows can nest. */
  parent: z.string().nullable(),
};

/** `event` names it while its image lives; `life` tells which image of the session that is. */
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
    /** The reason why the effect was asked about, in words. */
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
  /** Something that an agent's code did, or was kept from doing, outside the image. */
  z.object({
    ...base,
    kind: z.literal('effect'),
    evaluation: z.string().nullable(),
    effect: z.string(),
    operator: z.string(),
    target: z.string(),
    outcome: z.string(),
    /** The rule, or the person, that decided about it, in words. */
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
    /** Evaluation, or call of a tool, in which it happened. */
    evaluation: z.string().nullable(),
    /** The definitions, in the order of their events. */
    definitions: z.array(changedDefinition),
    /** The number of those that are not listed. */
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

/** The change that an approved call made to a file, and the state of the file once that change is taken back. */
export const takeable = z.object({
  approval: z.string(),
  /** The path of the file as the person knows it, relative to the project. */
  file: z.string(),
  becomes: z.string(),
  /** False when the file was changed after that. */
  possible: z.boolean(),
});

/** The details that the row of a call or an evaluation leaves out. */
export const activityDetail = z.object({
  /** The id of the call or the evaluation. */
  id: z.string(),
  arguments: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The evaluated code, whole; null where nothing was evaluated, or where it was too long to be kept. */
  code: z.string().nullable(),
  /** The package in which the code was read, where the caller named one. */
  package: z.string().nullable(),
  /**
   * The printed values of the evaluation; `cut` counts the characters that are missing. Null before its end, and after an error.
   */
  values: z.array(z.object({ text: z.string(), cut: z.int() })).nullable(),
  /** The answer that the client got. */
  result: z.string().nullable(),
});

/** The state of the audit, the record of the activity on disk. */
export const auditState = z.object({
  /** Events of this run. */
  rows: z.int().nonnegative(),
  /** Digest of the last line; null before the first. */
  hash: z.string().nullable(),
  /** The place where the chain is broken, or the reason why the audit cannot be written; null while all is well. */
  problem: z.string().nullable(),
});

export type Takeable = z.infer<typeof takeable>;
export type ActivityDetail = z.infer<typeof activityDetail>;
export type AuditState = z.infer<typeof auditState>;
export type ChangedDefinition = z.infer<typeof changedDefinition>;
type Distribute<Event, Keys extends string> = Event extends unknown ? Omit<Event, Keys> : never;

export type ActivityEvent = z.infer<typeof activityEvent>;
/** A fact as its publisher states it; the stream adds time and sequence. */
export type ActivityFact = Distribute<ActivityEvent, 'at' | 'seq' | 'parent' | 'session'> & {
  parent?: string | null;
  session?: string | null;
};
