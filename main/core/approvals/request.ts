/** What is asked of a person and how it can end: the words between a tool, the queue and whoever waits. */
import type { ApprovalCard } from '#contract/approval.ts';
import type { Actor } from '#contract/session.ts';
import type { SafetyLevel } from '#contract/tool.ts';

/** What the tool knows about a request; drawn anew from the target's present state before anything runs. */
export interface CardFacts extends Pick<
  ApprovalCard,
  'headline' | 'arguments' | 'editable' | 'change' | 'reversible' | 'claim'
> {
  /** Names what the request would act on and its state, e.g. the file's canonical path and the digest of its bytes. */
  readonly targetState: string;
}

export type Arguments = Record<string, unknown>;

/** What the person said yes to. */
export interface Approved {
  /** The target as the card showed it: whoever acts on it checks once more that it is still so. */
  readonly targetState: string;
  /** What the caller had asked for, where the person changed it; else null. */
  readonly original: Arguments | null;
}

export interface ApprovalRequest<Outcome> {
  readonly actor: Actor;
  /** Id of the tool call that asks. */
  readonly call: string;
  readonly tool: string;
  readonly level: SafetyLevel;
  readonly arguments: Arguments;
  readonly rule: string;
  /** @throws when the request makes no sense any more; the message answers the caller. */
  readonly draw: (args: Arguments) => Promise<CardFacts>;
  /** Runs it, once. */
  readonly perform: (args: Arguments, approved: Approved) => Promise<Outcome>;
  /** Checks arguments that the person edited; a text is what is wrong with them. */
  readonly check: (args: Arguments) => string | null;
}

export type Settlement<Outcome> =
  | { readonly denied: false; readonly outcome: Outcome; readonly modified: boolean }
  | { readonly denied: true; readonly reason: string };

export interface Ticket<Outcome> {
  readonly id: string;
  readonly settled: Promise<Settlement<Outcome>>;
}

export interface DecisionAnswer {
  readonly accepted: boolean;
  readonly reason: 'accepted' | 'stale' | 'too-soon' | 'gone' | 'invalid';
  readonly message: string | null;
}
