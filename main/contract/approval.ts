/** Requests that wait for a person, the cards drawn from them, and decisions. */
import { z } from 'zod';
import { clientMode } from './client.ts';
import { sourceLine } from './debugger.ts';
import { actor } from './session.ts';
import { safetyLevel } from './tool.ts';

/** A line of a unified diff; numbers are 1-based, null on the side where the line does not exist. */
export const diffLine = z.object({
  kind: z.enum(['same', 'added', 'removed']),
  text: z.string(),
  before: z.int().nullable(),
  after: z.int().nullable(),
});

export const diffHunk = z.object({
  lines: z.array(diffLine),
  /** The definition that it changes, as in its source: `(defun total …)`; null where it is none. */
  title: z.string().nullable(),
  /** What is known about it besides, e.g. "Image already runs this". */
  evidence: z.string().nullable(),
});

/** The file that is moved or deleted, as it is. */
export const fileTarget = z.object({
  absolutePath: z.string(),
  size: z.int().nonnegative(),
  /** Milliseconds since the epoch. */
  modified: z.number(),
});

/** What was found out about a change of a Lisp file; with `fault` it does not read. */
export const checkedChange = z.object({ words: z.string(), fault: z.boolean() });

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

/** A way to answer further requests of the kind without a card: the rule in words, with its reach and its end. */
export const cardScope = z.object({
  id: z.string(),
  label: z.string(),
  /** How many of the client's last `of` requests it would have answered. */
  matched: z.int().nonnegative(),
  of: z.int().nonnegative(),
});

/** Code that is parked inside a call which would reach outside the image. */
export const cardEffect = z.object({
  kind: z.string(),
  operator: z.string(),
  thread: z.string(),
  facts: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The agent's own frames, innermost first. */
  frames: z.array(
    z.object({
      call: z.string(),
      /** "exports.lisp:11", "form 1 of 2". */
      place: z.string().nullable(),
      /** Where that is, to be shown in the editor; null where it cannot be. */
      source: sourceLine.nullable(),
      /** The form that the evaluation was given, with what it was called around it. */
      evaluated: z.boolean(),
    }),
  ),
  /** Frames of SBCL and the workbench by name. `before`: how many of `frames` are further in. */
  innerFrames: z.array(z.object({ call: z.string(), before: z.int().nonnegative() })),
  /** Targets that wait for the same decision, the first ones. */
  targets: z.array(z.string()),
  targetCount: z.int().positive(),
  /** What this evaluation did outside the image before. */
  before: z.array(z.string()),
  beforeCount: z.int().nonnegative(),
  /** Another path may be given instead. */
  redirectable: z.boolean(),
  /** The evaluation can be ended rather than go on with a denial. */
  abortable: z.boolean(),
});

/** What lies behind a request being asked about. */
export const cardReason = z.object({
  /** Id of the rule that decided; `level`, `mode`, `effects` and `restart` are built in. */
  rule: z.string(),
  /** What that rule says. */
  words: z.string(),
  mode: clientMode,
  /** What would have to change for it to be asked about less, and more. */
  less: z.string(),
  more: z.string(),
});

export const approvalState = z.enum(['waiting', 'stale', 'approved', 'modified', 'denied', 'unknown']);

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
  target: fileTarget.nullable(),
  checked: checkedChange.nullable(),
  /** Each hunk of the change can be taken or left. */
  choosable: z.boolean(),
  /** Null for a call of a tool. */
  effect: cardEffect.nullable(),
  scopes: z.array(cardScope),
  reversible: z.string(),
  /** The agent's own words, shown as its claim; null when it gave none. */
  claim: z.string().nullable(),
  /** "Asked because write_file is a dangerous tool and this client is in collaborate mode." */
  rule: z.string(),
  reason: cardReason.nullable(),
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
  /** `unknown`: it had begun when the program ended; whether it was done is not known. */
  decision: z.enum(['approved', 'modified', 'denied', 'unknown']),
  by: z.string(),
  /** Why it was denied; for an approval what was chosen besides: "2 of 3 changes", "at other.txt instead". */
  reason: z.string().nullable(),
  at: z.number(),
  /** What was done can be taken back: how, in words; null when it cannot. */
  undo: z.string().nullable(),
});

export const approvalQueue = z.object({
  waiting: z.array(approvalCard),
  /** Requests that get a card when their client has fewer. */
  inLine: z.int().nonnegative(),
  decided: z.array(decidedApproval),
});

export const approvalDecision = z.discriminatedUnion('decision', [
  z.object({
    decision: z.literal('approved'),
    /** Indices of the hunks that were taken, where each can be chosen; left out, all of them. */
    hunks: z.array(z.int().nonnegative()).optional(),
    /** A scope of the card, to answer further requests alike. */
    remember: z.string().optional(),
    /** Where to instead, for an effect that can be redirected: a path inside the project. */
    path: z.string().min(1).max(4096).optional(),
  }),
  z.object({
    decision: z.literal('denied'),
    reason: z.string(),
    /** For an effect: the whole evaluation ends. */
    abort: z.boolean().optional(),
  }),
  z.object({ decision: z.literal('modified'), arguments: z.record(z.string(), z.unknown()) }),
]);

/** A rule that the person gave on a card, as the Clients panel lists it. */
export const grantedRule = z.object({
  id: z.string(),
  /** Actor id of the client that it answers. */
  client: z.string(),
  /** What it allows, in words: "write_file for src/shop.lisp". */
  words: z.string(),
  grantedAt: z.number(),
  usedAt: z.number(),
  /** When it ends unless it is used before, milliseconds since the epoch. */
  endsAt: z.number(),
  /** It ends sooner, with this evaluation. */
  evaluation: z.string().nullable(),
});

/** The queue as the page draws it, with the colour of each client that appears in it (tokens.md, 1–4) by actor id. */
export const shownQueue = approvalQueue.extend({
  hues: z.record(z.string(), z.int()),
  /** Files that are open in the window, by absolute path, and whether their text there is not saved. */
  unsaved: z.record(z.string(), z.boolean()),
});

export type GrantedRuleRecord = z.infer<typeof grantedRule>;
export type ShownQueue = z.infer<typeof shownQueue>;
export type ApprovalCard = z.infer<typeof approvalCard>;
export type ApprovalQueue = z.infer<typeof approvalQueue>;
export type ApprovalDecision = z.infer<typeof approvalDecision>;
export type DecidedApproval = z.infer<typeof decidedApproval>;
export type TextChange = z.infer<typeof textChange>;
export type DiffHunk = z.infer<typeof diffHunk>;
export type CardEffect = z.infer<typeof cardEffect>;
export type CardReason = z.infer<typeof cardReason>;
export type CheckedChange = z.infer<typeof checkedChange>;
export type FileTarget = z.infer<typeof fileTarget>;
export type CardScope = z.infer<typeof cardScope>;
export type DiffLine = z.infer<typeof diffLine>;
