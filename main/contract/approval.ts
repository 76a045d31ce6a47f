/** Requests that wait for a person, the cards drawn from them, and decisions. */
import { z } from 'zod';
import { actor } from './session.ts';
import { safetyLevel } from './tool.ts';

/** A line of a unified diff; numbers are 1-based, null on the side where the line does not exist. */
export const diffLine = z.object({
  kind: z.enum(['same', 'added', 'removed']),
  text: z.string(),
  before: z.int().nullable(),
  after: z.int().nullable(),
});

export const diffHunk = z.object({ lines: z.array(diffLine) });

export const textChange = z.object({
  /** Path as the person knows it, relative to the project. */
  path: z.string(),
  absolutePath: z.string(),
  /** Null when the file does not exist yet. */
  bytesBefore: z.int().nullable(),
  bytesAfter: z.int(),
  hunks: z.array(diffHunk),
  added: z.int(),
  removed: z.int(),
  /** Why there is no line diff: "binary", "too long"; null when there is one. */
  withoutDiff: z.string().nullable(),
});

export const approvalState = z.enum(['waiting', 'stale', 'approved', 'modified', 'denied']);

/** Everything that the card shows. Drawn by the core from the exact arguments that will run. */
export const approvalCard = z.object({
  id: z.string(),
  actor,
  tool: z.string(),
  level: safetyLevel,
  requestedAt: z.number(),
  /** Milliseconds since the epoch; null while the person edits (the clock stands still). */
  deadline: z.number().nullable(),
  /** The effect in our words: "Write 4,312 bytes to src/shop.lisp". */
  headline: z.string(),
  /** Arguments by name, as text, in the order of the tool's schema. The edited one is named by `editable`. */
  arguments: z.array(z.object({ name: z.string(), value: z.string() })),
  editable: z.string().nullable(),
  change: textChange.nullable(),
  reversible: z.string(),
  /** The agent's own words, shown as its claim; null when it gave none. */
  claim: z.string().nullable(),
  /** "Asked because write_file is a dangerous tool and this client is in collaborate mode." */
  rule: z.string(),
  /** Binds the decision: digest of the arguments and of the target's state as drawn (K3). */
  fingerprint: z.string(),
  state: approvalState,
  /** Why a stale card is drawn again. */
  notice: z.string().nullable(),
  /** The client no longer waits for the answer. */
  abandoned: z.boolean(),
});

/** A request that was decided. */
export const decidedApproval = z.object({
  id: z.string(),
  actor,
  tool: z.string(),
  headline: z.string(),
  decision: z.enum(['approved', 'modified', 'denied']),
  by: z.string(),
  reason: z.string().nullable(),
  at: z.number(),
});

export const approvalQueue = z.object({ waiting: z.array(approvalCard), decided: z.array(decidedApproval) });

export const approvalDecision = z.discriminatedUnion('decision', [
  z.object({ decision: z.literal('approved') }),
  z.object({ decision: z.literal('denied'), reason: z.string() }),
  z.object({ decision: z.literal('modified'), arguments: z.record(z.string(), z.unknown()) }),
]);

/** The queue as the page draws it, with the colour of each client that appears in it (tokens.md, 1–4) by actor id. */
export const shownQueue = approvalQueue.extend({ hues: z.record(z.string(), z.int()) });

export type ShownQueue = z.infer<typeof shownQueue>;
export type ApprovalCard = z.infer<typeof approvalCard>;
export type ApprovalQueue = z.infer<typeof approvalQueue>;
export type ApprovalDecision = z.infer<typeof approvalDecision>;
export type DecidedApproval = z.infer<typeof decidedApproval>;
export type TextChange = z.infer<typeof textChange>;
export type DiffHunk = z.infer<typeof diffHunk>;
export type DiffLine = z.infer<typeof diffLine>;
