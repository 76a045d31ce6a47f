/** Requests that wait for a person, their cards, and decisions about them. */
import { z } from 'zod';
import { clientMode } from '#contract/clients/client.ts';
import { sourceLine } from '#contract/image/source-line.ts';
import { actor } from '#contract/image/session.ts';
import { safetyLevel } from '#contract/clients/tool.ts';

/** A line of a unified diff. Line numbers start at 1; null on the side that does not have the line. */
const diffLine = z.object({
  kind: z.enum(['same', 'added', 'removed']),
  text: z.string(),
  before: z.int().nullable(),
  after: z.int().nullable(),
});

/** Adjacent changed lines with some context lines around them. */
export const diffHunk = z.object({ lines: z.array(diffLine) });

/** A hunk with its labels on a card. Names are exactly as in the file, so the code that draws them must make hidden characters visible. */
const cardHunk = diffHunk.extend({
  /** The changed definition with its operator, such as `defun total`; null if the hunk changes no definition or several. */
  title: z.string().nullable(),
  /** The name of the first definition that the hunk changes; null if unknown. */
  name: z.string().nullable(),
  /** The kind of change: "method", "new function and 2 more", or "Lines 12 to 19" if no definition is named. */
  what: z.string(),
  /** The result of comparing the hunk's definitions with the image, in words; null if no comparison is possible. */
  evidence: z.object({ words: z.string(), inImage: z.boolean() }).nullable(),
});

export const textChange = z.object({
  /** The path relative to the project. */
  path: z.string(),
  absolutePath: z.string(),
  /** The size of the file before the change; null if the file does not exist yet. */
  bytesBefore: z.int().nullable(),
  bytesAfter: z.int(),
  hunks: z.array(diffHunk),
  added: z.int(),
  removed: z.int(),
  /** The reason why there is no line diff: "binary", "too long"; null if there is a diff. */
  withoutDiff: z.string().nullable(),
});

/** A file in a change of several files. */
const cardFile = z.object({
  path: z.string(),
  absolutePath: z.string(),
  /** The file's size before the change and, in `bytesAfter`, after it; null if the file does not exist at that time. */
  bytesBefore: z.int().nullable(),
  bytesAfter: z.int().nullable(),
  /** The index of the file's first hunk. */
  first: z.int().nonnegative(),
});

/**
 * The change on a card. For a change of several files, `files` lists them in the order of their hunks. For a single file, `files` is
 * omitted and `path` names the file.
 */
const cardChange = textChange.extend({ hunks: z.array(cardHunk), files: z.array(cardFile).optional() });

/** A rule offered on the card, which automatically answers later requests of the same kind. */
const cardScope = z.object({
  id: z.string(),
  /** The complete rule, with its scope and its end. */
  label: z.string(),
  /** The rule as a card shows it: hidden characters appear as code points, and a long target is shortened in the middle. */
  words: z.string(),
  /** A sentence that reports how many of the client's last requests the rule would have answered. */
  tried: z.string(),
});

/** An argument of the call, as text. */
const cardArgument = z.object({
  name: z.string(),
  value: z.string(),
  /**
   * The position of the argument on the card: in a line, in its own section below, as part of the displayed change, or as the agent's
   * claim.
   */
  place: z.enum(['line', 'below', 'change', 'claim']),
  /** The size of the argument as it will be written: "4,312 bytes". */
  size: z.string(),
});

/** Facts about a request, in words. */
const cardFacts = z.object({
  /** The single target and its size; null if there are several targets or the target is too long for a line. */
  target: z.object({ label: z.enum(['Target', 'Command']), text: z.string(), measures: z.string() }).nullable(),
  level: z.object({
    word: z.string(),
    why: z.string().nullable(),
    /** The reason why the card warns that the request is dangerous: "cannot be undone"; null if it does not warn. */
    danger: z.string().nullable(),
  }),
  undo: z.object({ reversible: z.boolean(), verdict: z.string(), why: z.string() }),
  /** The result of checking a change of a Lisp file; `fault` is true if the new text cannot be read. */
  checked: z.object({ words: z.string(), fault: z.boolean() }).nullable(),
  /** The other facts of an effect, under the names that the image uses for them. */
  known: z.array(
    z.object({
      name: z.string(),
      value: z.string(),
      /**
       * The position of the fact on the card: in a line; in the details, which are closed at first; in a section below if it is long; next
       * to the target, with its size; nowhere if most requests share the fact.
       */
      place: z.enum(['line', 'details', 'below', 'target', 'nowhere']),
    }),
  ),
});

/** A part of the card that is too long for a line and must be read before a decision. */
const cardSection = z.object({
  /** A key that identifies the section within its card, even after the card is redrawn. */
  key: z.string(),
  /** The heading of the section: "Change to src/shop.lisp", "code", "3 targets, one decision". */
  label: z.string(),
  /** The part of the card that the section shows. */
  content: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('change') }),
    z.object({ kind: z.literal('argument'), name: z.string() }),
    z.object({ kind: z.literal('fact'), name: z.string() }),
    z.object({ kind: z.literal('targets') }),
  ]),
  /** True if the text is Lisp. */
  lisp: z.boolean(),
  /** The sentence above the change. It says why there is no comparison, or that there is no content to compare. */
  reason: z.string().nullable(),
});

/** A restart with which suspended code can continue, with its number and name as SBCL prints them. */
const cardChoice = z.object({
  key: z.string(),
  kind: z.enum(['proceed', 'always', 'use-path', 'deny', 'abort']),
  restart: z.string(),
  title: z.string(),
  /** The effect of the choice, in words. */
  detail: z.string(),
  /** For `always`, the rule in a short sentence, which refers to the facts on the card; otherwise null. */
  rule: z.string().nullable(),
  /** For `always`, the id of the scope that will answer from then on. */
  scope: z.string().nullable(),
});

/** Code that is suspended inside a call that would act outside the image. */
const cardEffect = z.object({
  /** The targets that wait for the same decision, each with the facts that distinguish it: "size 3, modified 2026-11-22T07:00:00Z". */
  targets: z.array(z.object({ text: z.string(), difference: z.string() })),
  /** The agent's own frames, innermost first. */
  frames: z.array(
    z.object({
      call: z.string(),
      /** The place in words: "exports.lisp:11", "form 1 of 2". */
      place: z.string().nullable(),
      /** The source location to show in the editor; null if there is none. */
      source: sourceLine.nullable(),
      /** True for the frame of a top-level form of the evaluation. */
      evaluated: z.boolean(),
    }),
  ),
  /**
   * Frames of SBCL and the workbench, by name. `before` is the number of entries in `frames` that precede this frame in the complete
   * backtrace.
   */
  innerFrames: z.array(z.object({ call: z.string(), before: z.int().nonnegative() })),
  /** The latest of the evaluation's earlier effects, in words. `beforeCount` is the total number of earlier effects. */
  before: z.array(z.string()),
  beforeCount: z.int().nonnegative(),
});

/** The reason why a request needs approval. */
const cardReason = z.object({
  /** The id of the rule that decided; `level`, `mode`, `effects` and `restart` are built in. */
  rule: z.string(),
  /** The rule in words. */
  words: z.string(),
  mode: clientMode,
  /** Suggests how to be asked less often about such requests; `more` suggests how to be asked more often. */
  less: z.string(),
  more: z.string(),
});

/** A restart that a client proposes for an error in the debugger. */
const cardProposal = z.object({
  /** The id of the image; `debugger` is the id of the debugger in that image. */
  image: z.string(),
  debugger: z.string(),
  restart: z.int(),
  /** Forms for the arguments of the restart. */
  forms: z.array(z.string()),
});

const approvalState = z.enum(['waiting', 'stale', 'approved', 'modified', 'denied', 'unknown']);

/** The card with all its texts. The core draws it from the exact arguments that will run, and every surface shows the same card. */
const approvalCard = z.object({
  id: z.string(),
  actor,
  tool: z.string(),
  level: safetyLevel,
  requestedAt: z.number(),
  /** Milliseconds since the epoch; null while the person edits, because the clock is then stopped. */
  deadline: z.number().nullable(),
  /** A summary of the effect in the workbench's own words: "Write 4,312 bytes to src/shop.lisp". */
  headline: z.string(),
  /**
   * A warning if the changed file configures other programs; null for other files. It lists the programs that the file can start, and says
   * that no rule can approve the change.
   */
  configures: z.string().nullable(),
  facts: cardFacts,
  /** The arguments, in the order of the tool's schema. `editable` names the argument that can be edited. */
  arguments: z.array(cardArgument),
  editable: z.string().nullable(),
  change: cardChange.nullable(),
  /** True if each hunk of the change can be accepted or left out individually. */
  choosable: z.boolean(),
  /** The effect that the card asks about; null for a tool call. */
  effect: cardEffect.nullable(),
  /** The restart that the card asks about, in a debugger that the window displays; null if the card asks about something else. */
  proposal: cardProposal.nullable(),
  sections: z.array(cardSection),
  scopes: z.array(cardScope),
  /** The restarts of suspended code, in order; empty for a tool call. */
  choices: z.array(cardChoice),
  /** The agent's own explanation, shown as its claim; null if it gave none. */
  claim: z.string().nullable(),
  /** The reason in one sentence: "Asked because write-file is a dangerous tool and this client is in collaborate mode." */
  rule: z.string(),
  reason: cardReason.nullable(),
  /** The digest of the arguments and of the target's state, both as the card shows them. It binds the decision to the card (K3). */
  fingerprint: z.string(),
  state: approvalState,
  /** The reason why a stale card was redrawn. */
  notice: z.string().nullable(),
  /** True if the client no longer waits for the answer. */
  abandoned: z.boolean(),
});

/** A decided request. */
const decidedApproval = z.object({
  id: z.string(),
  actor,
  tool: z.string(),
  headline: z.string(),
  /** `unknown`: the call was running when the program ended, and may or may not have taken effect. */
  decision: z.enum(['approved', 'modified', 'denied', 'unknown']),
  by: z.string(),
  /** The reason for a denial. For an approval, the person's other choices, such as "2 of 3 changes" or "at other.txt instead". */
  reason: z.string().nullable(),
  at: z.number(),
  /** A way to undo the action, in words; null if there is none. */
  undo: z.string().nullable(),
  /** The reason why an approved call failed or was performed only partly; null if it succeeded or is still running. */
  failure: z.string().nullable(),
});

const approvalQueue = z.object({
  waiting: z.array(approvalCard),
  /** The number of requests that have no card yet because their client already has too many. */
  inLine: z.int().nonnegative(),
  decided: z.array(decidedApproval),
});

export const approvalDecision = z.discriminatedUnion('decision', [
  z.object({
    decision: z.literal('approved'),
    /** The indices of the accepted hunks, if hunks can be chosen individually; omitted for all hunks. */
    hunks: z.array(z.int().nonnegative()).optional(),
    /** The id of one of the card's scopes: a rule that answers further requests the same way. */
    remember: z.string().optional(),
    /** The path to use instead, for an effect that can be redirected. The path must be inside the project. */
    path: z.string().min(1).max(4096).optional(),
  }),
  z.object({
    decision: z.literal('denied'),
    reason: z.string(),
    /** True to end the whole evaluation whose effect was denied. */
    abort: z.boolean().optional(),
  }),
  z.object({ decision: z.literal('modified'), arguments: z.record(z.string(), z.unknown()) }),
]);

/** The answer to a decision. `stale`: the target or the card changed since the card was drawn, and nothing ran. */
export const decisionAnswer = z.object({
  accepted: z.boolean(),
  reason: z.enum(['accepted', 'stale', 'too-soon', 'gone', 'invalid']),
  message: z.string().nullable(),
});

/** A rule that the person gave on a card, as the Clients panel lists it. */
export const grantedRule = z.object({
  id: z.string(),
  /** The actor id of the client whose requests the rule answers. */
  client: z.string(),
  /** The rule in words: "write-file for src/shop.lisp". */
  words: z.string(),
  grantedAt: z.number(),
  usedAt: z.number(),
  /** The time at which the rule ends if it is not used before then, in milliseconds since the epoch. */
  endsAt: z.number(),
  /** The evaluation with which the rule also ends; null if there is none. */
  evaluation: z.string().nullable(),
});

/**
 * The queue as the page draws it. `hues` contains the colour of each client in the queue, by actor id (1–4, see
 * `renderer/theme/tokens.css`).
 */
export const shownQueue = approvalQueue.extend({
  hues: z.record(z.string(), z.int()),
  /** Files that are open in the window, by absolute path; true if the text in the window is unsaved. */
  unsaved: z.record(z.string(), z.boolean()),
});

export type GrantedRuleRecord = z.infer<typeof grantedRule>;
export type ShownQueue = z.infer<typeof shownQueue>;
export type ApprovalCard = z.infer<typeof approvalCard>;
export type ApprovalQueue = z.infer<typeof approvalQueue>;
export type ApprovalDecision = z.infer<typeof approvalDecision>;
export type DecisionAnswer = z.infer<typeof decisionAnswer>;
export type DecidedApproval = z.infer<typeof decidedApproval>;
export type TextChange = z.infer<typeof textChange>;
export type DiffHunk = z.infer<typeof diffHunk>;
export type CardChange = z.infer<typeof cardChange>;
export type CardFile = z.infer<typeof cardFile>;
export type CardHunk = z.infer<typeof cardHunk>;
export type CardEffect = z.infer<typeof cardEffect>;
export type CardReason = z.infer<typeof cardReason>;
export type CardArgument = z.infer<typeof cardArgument>;
export type CardSection = z.infer<typeof cardSection>;
export type CardChoice = z.infer<typeof cardChoice>;
export type CardScope = z.infer<typeof cardScope>;
export type DiffLine = z.infer<typeof diffLine>;
