/** What is asked of a person and how it can end: the words between whoever asks, the queue and whoever waits. */
import type { ApprovalCard, CardReason, CardScope } from '#contract/approval.ts';
import type { Actor } from '#contract/session.ts';
import type { SafetyLevel } from '#contract/tool.ts';

/** What is known about a request; drawn anew from the target's present state before anything runs. */
export interface CardFacts
  extends
    Pick<ApprovalCard, 'headline' | 'arguments' | 'editable' | 'change' | 'reversible' | 'claim'>,
    Partial<Pick<ApprovalCard, 'choosable' | 'effect' | 'target' | 'checked'>> {
  /** Names what the request would act on and its state, e.g. the file's canonical path and the digest of its bytes. */
  readonly targetState: string;
}

export type Arguments = Record<string, unknown>;

/** What the person said yes to. */
export interface Approved {
  /** Handle of the approval. */
  readonly id: string;
  /** The target as the card showed it: whoever acts on it checks once more that it is still so. */
  readonly targetState: string;
  /** What the caller had asked for, where the person changed it; else null. */
  readonly original: Arguments | null;
  /** Indices of the hunks that the person took, where some were left; null is all. */
  readonly hunks: readonly number[] | null;
  /** Where to instead; null as asked. */
  readonly path: string | null;
}

export interface ApprovalRequest<Outcome> {
  readonly actor: Actor;
  /** Id of the tool call that asks, or of the evaluation whose code does; null when neither is known. */
  readonly call: string;
  readonly tool: string;
  readonly level: SafetyLevel;
  readonly arguments: Arguments;
  readonly rule: string;
  /** What lies behind the rule; left out where nothing is known of it. */
  readonly reason?: CardReason;
  /** Like requests share a card; a request with a key of its own never does. */
  readonly key?: string;
  /** The handle that its client waits for where that is not the request's own: the call whose code asks. */
  readonly handle?: string;
  /** Where the client has as many cards as it may, it waits in line rather than being refused, until this fires. */
  readonly lines?: AbortSignal;
  /** It is not kept over the end of the program: what it asked for ends with it. */
  readonly fleeting?: boolean;
  readonly scopes?: () => CardScope[];
  /** Further requests are to be answered alike, as this scope says. False when it is none of `scopes`. */
  readonly remember?: (scope: string) => boolean;
  /** Checks another path than the one asked for; a text is what is wrong with it. */
  readonly checkPath?: (path: string) => Promise<string | null>;
  /** @throws when the request makes no sense any more; the message answers the caller. */
  readonly draw: (args: Arguments) => Promise<CardFacts>;
  /** Runs it, once. */
  readonly perform: (args: Arguments, approved: Approved) => Promise<Outcome>;
  /** Checks arguments that the person edited; a text is what is wrong with them. */
  readonly check: (args: Arguments) => string | null;
}

export type Settlement<Outcome> =
  | { readonly denied: false; readonly outcome: Outcome; readonly modified: boolean }
  | { readonly denied: true; readonly reason: string; readonly abort?: boolean };

export interface Ticket<Outcome> {
  readonly id: string;
  readonly settled: Promise<Settlement<Outcome>>;
}

export interface DecisionAnswer {
  readonly accepted: boolean;
  readonly reason: 'accepted' | 'stale' | 'too-soon' | 'gone' | 'invalid';
  readonly message: string | null;
}
