/** Requests that wait for a person, the cards drawn from them, and decisions. */
import { z } from 'zod';
import { clientMode } from '#contract/clients/client.ts';
import { sourceLine } from '#contract/image/source-line.ts';
import { actor } from '#contract/image/session.ts';
import { safetyLevel } from '#contract/clients/tool.ts';

/** A line of a unified diff; numbers are 1-based, null on the side where the line does not exist. */
const diffLine = z.object({
  kind: z.enum(['same', 'added', 'removed']),
  text: z.string(),
  before: z.int().nullable(),
  after: z.int().nullable(),
});

/** Lines of a change that lie together, with some of those around them. */
export const diffHunk = z.object({ lines: z.array(diffLine) });

/** A hunk as a card calls it. Names are as in the file: whoever draws them makes hidden characters visible. */
const cardHunk = diffHunk.extend({
  /** The one definition that it changes, with its operator: `defun total`; null where it is none, or several. */
  title: z.string().nullable(),
  /** Name of the first definition that it touches; null where none is known. */
  name: z.string().nullable(),
  /** "method", "new function and 2 more"; "Lines 12 to 19" without a name. */
  what: z.string(),
  /** Comparison of its definitions with those of the image, in words; null where nobody can tell. */
  evidence: z.object({ words: z.string(), inImage: z.boolean() }).nullable(),
});

export const textChange = z.object({
  /** Path as the person knows it, relative to the project. */
  path: z.string(),
  absolutePath: z.string(),
  /** The size of the file before the change; null when the file does not exist yet. */
  bytesBefore: z.int().nullable(),
  bytesAfter: z.int(),
  hunks: z.array(diffHunk),
  added: z.int(),
  removed: z.int(),
  /** Reason why there is no line diff: "binary", "too long"; null when there is one. */
  withoutDiff: z.string().nullable(),
});

/** A file of a change of several. */
const cardFile = z.object({
  path: z.string(),
  absolutePath: z.string(),
  /** Sizes before and after the change; null if there is no file then. */
  bytesBefore: z.int().nullable(),
  bytesAfter: z.int().nullable(),
  /** Index of its first hunk. */
  first: z.int().nonnegative(),
});

/** `files`: those of a change of several, in the order of their hunks; left out if it is one, which `path` names. */
const cardChange = textChange.extend({ hunks: z.array(cardHunk), files: z.array(cardFile).optional() });

/** A rule that the person can give on the card, so that further requests of the kind are answered without one. */
const cardScope = z.object({
  id: z.string(),
  /** The rule in full, with its reach and its end. */
  label: z.string(),
  /** The rule as a card shows it: hidden characters are code points, and the middle of a long target is left out. */
  words: z.string(),
  /** Number of the client's last requests that the rule would have answered, as a sentence. */
  tried: z.string(),
});

/** An argument of the call, as text. */
const cardArgument = z.object({
  name: z.string(),
  value: z.string(),
  /**
   * The place of the argument on the card: in a line, in a section of its own below, in what the change shows of it, or as the
   * agent's claim.
   */
  place: z.enum(['line', 'below', 'change', 'claim']),
  /** "4,312 bytes": how much there is of it, as it will be written. */
  size: z.string(),
});

/** Facts about a request, in words. */
const cardFacts = z.object({
  /** The one thing that is acted on, and its size; null where there are several, or where it is too long for a line. */
  target: z.object({ text: z.string(), measures: z.string() }).nullable(),
  level: z.object({ word: z.string(), why: z.string().nullable() }),
  undo: z.object({ reversible: z.boolean(), verdict: z.string(), why: z.string() }),
  /** Result of the look-ups about a change of a Lisp file; with `fault` the new text does not read. */
  checked: z.object({ words: z.string(), fault: z.boolean() }).nullable(),
  /** The other facts of an effect, by the names under which the image resolved them. */
  known: z.array(
    z.object({
      name: z.string(),
      value: z.string(),
      /**
       * The place of the fact on the card: in a line; in a section below, where it is long; among the measures of the target;
       * nowhere, where most requests have it alike.
       */
      place: z.enum(['line', 'below', 'target', 'nowhere']),
    }),
  ),
});

/** A part of the card that is too long for a line and has to be read before a decision. */
const cardSection = z.object({
  /** Tells it from the others of its card, also when that is drawn again. */
  key: z.string(),
  /** Head of the section: "Change to src/shop.lisp", "code", "3 targets, one decision". */
  label: z.string(),
  /** The part of the card that the section shows. */
  content: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('change') }),
    z.object({ kind: z.literal('argument'), name: z.string() }),
    z.object({ kind: z.literal('fact'), name: z.string() }),
    z.object({ kind: z.literal('targets') }),
  ]),
  /** True where the text is Lisp. */
  lisp: z.boolean(),
  /** The sentence above the change: why there is no comparison, or nothing to compare. */
  reason: z.string().nullable(),
});

/** A restart by which suspended code can go on, with its number and name as SBCL prints them. */
const cardChoice = z.object({
  key: z.string(),
  kind: z.enum(['proceed', 'always', 'use-path', 'deny', 'abort']),
  restart: z.string(),
  title: z.string(),
  /** Effect of the choice, in words. */
  detail: z.string(),
  /** The id of the scope that would answer from then on, for `always`. */
  scope: z.string().nullable(),
});

/** Code that is suspended inside a call which would reach outside the image. */
const cardEffect = z.object({
  /** The targets that wait for the same decision, each with what is so of it alone: "size 3, modified 2026-11-22T07:00:00Z". */
  targets: z.array(z.object({ text: z.string(), difference: z.string() })),
  /** The agent's own frames, innermost first. */
  frames: z.array(
    z.object({
      call: z.string(),
      /** "exports.lisp:11", "form 1 of 2". */
      place: z.string().nullable(),
      /** The place in a source, to be shown in the editor; null where it cannot be shown. */
      source: sourceLine.nullable(),
      /** The form that the evaluation was given, with what it was called around it. */
      evaluated: z.boolean(),
    }),
  ),
  /** Frames of SBCL and the workbench by name. `before`: how many of `frames` are further in. */
  innerFrames: z.array(z.object({ call: z.string(), before: z.int().nonnegative() })),
  /** The latest effects that the evaluation had before, in words, and the number of all of them. */
  before: z.array(z.string()),
  beforeCount: z.int().nonnegative(),
});

/** The reason why a request is asked about. */
const cardReason = z.object({
  /** Id of the rule that decided; `level`, `mode`, `effects` and `restart` are built in. */
  rule: z.string(),
  /** The rule in words. */
  words: z.string(),
  mode: clientMode,
  /** Changes by which such requests would be asked about less, and more. */
  less: z.string(),
  more: z.string(),
});

/** A restart of an error that is held in the debugger. */
const cardProposal = z.object({
  /** The id of the image, and that of its debugger there. */
  image: z.string(),
  debugger: z.string(),
  restart: z.int(),
  /** Forms for what the restart takes. */
  forms: z.array(z.string()),
});

const approvalState = z.enum(['waiting', 'stale', 'approved', 'modified', 'denied', 'unknown']);

/**
 * The card, with everything that it shows in words. Drawn by the core from the exact arguments that will run, for every surface
 * alike.
 */
const approvalCard = z.object({
  id: z.string(),
  actor,
  tool: z.string(),
  level: safetyLevel,
  requestedAt: z.number(),
  /** Milliseconds since the epoch; null while the person edits (the clock stands still). */
  deadline: z.number().nullable(),
  /** The effect in our words: "Write 4,312 bytes to src/shop.lisp". */
  headline: z.string(),
  /** Warning that a changed file configures other programs: what it can start, and that no rule answers for it; null for other files. */
  configures: z.string().nullable(),
  facts: cardFacts,
  /** The arguments, in the order of the tool's schema. The edited one is named by `editable`. */
  arguments: z.array(cardArgument),
  editable: z.string().nullable(),
  change: cardChange.nullable(),
  /** True when each hunk of the change can be taken or left. */
  choosable: z.boolean(),
  /** The effect that the card asks about; null for a call of a tool. */
  effect: cardEffect.nullable(),
  /** The restart that the card asks about, of a debugger that the window shows; null for anything else. */
  proposal: cardProposal.nullable(),
  sections: z.array(cardSection),
  scopes: z.array(cardScope),
  /** The restarts of suspended code, in their order; none for a call of a tool. */
  choices: z.array(cardChoice),
  /** The agent's own words, shown as its claim; null when it gave none. */
  claim: z.string().nullable(),
  /** "Asked because write-file is a dangerous tool and this client is in collaborate mode." */
  rule: z.string(),
  reason: cardReason.nullable(),
  /** Binds the decision: digest of the arguments and of the target's state as drawn (K3). */
  fingerprint: z.string(),
  state: approvalState,
  /** Reason why a stale card is drawn again. */
  notice: z.string().nullable(),
  /** The client no longer waits for the answer. */
  abandoned: z.boolean(),
});

/** A request that was decided. */
const decidedApproval = z.object({
  id: z.string(),
  actor,
  tool: z.string(),
  headline: z.string(),
  /** `unknown`: it had begun when the program ended; whether it was done is not known. */
  decision: z.enum(['approved', 'modified', 'denied', 'unknown']),
  by: z.string(),
  /** Reason of a denial; for an approval what was chosen besides: "2 of 3 changes", "at other.txt instead". */
  reason: z.string().nullable(),
  at: z.number(),
  /** Way to take back what was done, in words; null when there is none. */
  undo: z.string().nullable(),
  /** Reason why nothing came of what was approved, or not what should; null where it went well or is not over. */
  failure: z.string().nullable(),
});

const approvalQueue = z.object({
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
    /** The path to use instead, for an effect that can be redirected: a path inside the project. */
    path: z.string().min(1).max(4096).optional(),
  }),
  z.object({
    decision: z.literal('denied'),
    reason: z.string(),
    /** Ends the whole evaluation whose effect was denied. */
    abort: z.boolean().optional(),
  }),
  z.object({ decision: z.literal('modified'), arguments: z.record(z.string(), z.unknown()) }),
]);

/** The answer to a decision. `stale`: the target or the card changed since it was drawn; nothing ran. */
export const decisionAnswer = z.object({
  accepted: z.boolean(),
  reason: z.enum(['accepted', 'stale', 'too-soon', 'gone', 'invalid']),
  message: z.string().nullable(),
});

/** A rule that the person gave on a card, as the Clients panel lists it. */
export const grantedRule = z.object({
  id: z.string(),
  /** Actor id of the client that it answers. */
  client: z.string(),
  /** The rule in words: "write-file for src/shop.lisp". */
  words: z.string(),
  grantedAt: z.number(),
  usedAt: z.number(),
  /** The time at which the grant ends unless it is used before, milliseconds since the epoch. */
  endsAt: z.number(),
  /** Evaluation whose end ends the rule sooner. */
  evaluation: z.string().nullable(),
});

/** The queue as the page draws it, with the colour of each client that appears in it (`renderer/theme/tokens.css`, 1–4) by actor id. */
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
