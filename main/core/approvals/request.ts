/** Requests for a person's word, and how they can end: the types between whoever asks, the queue and whoever waits. */
import type { ApprovalCard, CardEffect, CardReason } from '#contract/decisions/approval.ts';
import type { Actor } from '#contract/image/session.ts';
import type { SafetyLevel } from '#contract/clients/tool.ts';

export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** A file that is moved or deleted, as it is. */
interface FileTarget {
  readonly absolutePath: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modified: number;
}

/** Parked code, with what of its restarts it offers. */
interface EffectOnCard extends CardEffect {
  /** Facts that hold for all its targets, by the names that the image gives. */
  readonly facts: readonly NamedValue[];
  /** True when another path may be given instead. */
  readonly redirectable: boolean;
  /** The evaluation can be ended rather than go on with a denial. */
  readonly abortable: boolean;
}

/**
 * The facts from which the card of a request is made; looked up anew from the target's present state before anything
 * runs.
 */
export interface CardFacts
  extends Pick<ApprovalCard, 'headline' | 'editable' | 'change' | 'claim'>, Partial<Pick<ApprovalCard, 'choosable'>> {
  readonly arguments: readonly NamedValue[];
  /** Says whether the request can be undone, and why: "Reversible: the file is kept and can be put back". */
  readonly reversible: string;
  readonly target?: FileTarget;
  /** A sentence about what a changed file can start in other programs; null or left out for other files. */
  readonly configures?: string | null;
  readonly checked?: ApprovalCard['facts']['checked'];
  readonly effect?: EffectOnCard;
  /** The restart that is proposed, for the debugger that shows it. */
  readonly proposal?: NonNullable<ApprovalCard['proposal']>;
  /**
   * The canonical paths of all files that a file tool would change, which are part of `targetState`; left out for everything
   * else.
   */
  readonly files?: readonly string[];
  /** Names what the request would act on and its state, e.g. the file's canonical path and the digest of its bytes. */
  readonly targetState: string;
}

export type Arguments = Record<string, unknown>;

/** The request as the person said yes to it. */
export interface Approved {
  /** Handle of the approval. */
  readonly id: string;
  /** The target as the card showed it: whoever acts on it checks once more that it is still so. */
  readonly targetState: string;
  /** Arguments that the caller had asked for, where the person changed them; else null. */
  readonly original: Arguments | null;
  /** Indices of the hunks that the person took, where some were left; null is all. */
  readonly hunks: readonly number[] | null;
  /** The path to use instead; null for the one that was asked for. */
  readonly path: string | null;
  /** Author of an approval that did not come from a surface of the workbench: "answered in NAME". */
  readonly by?: string;
}

/** A rule by which further requests would be answered, and how many of the client's last `of` requests it would have. */
export interface OfferedScope {
  readonly id: string;
  /** The rule in words, with its reach and its end. */
  readonly label: string;
  readonly matched: number;
  readonly of: number;
}

/** The side that asks: a tool call, or the effects of running code. A requester knows how its request is drawn, checked and performed. */
export interface Requester<Outcome> {
  /** @throws when the request makes no sense any more; the message answers the caller. */
  draw(args: Arguments): Promise<CardFacts>;
  /** Checks arguments that the person edited; a text is what is wrong with them. */
  check(args: Arguments): string | null;
  /** Performs it, once. */
  perform(args: Arguments, approved: Approved): Promise<Outcome>;
  /** Says why an outcome is none that the person wanted, for the list of what was decided; null when it went well. */
  failure?(outcome: Outcome): string | null;
  /** Rules by which the person can have further requests answered alike. */
  scopes?(): readonly OfferedScope[];
  /** Keeps the rule of a scope. False when it is none of `scopes`. */
  remember?(scope: string): boolean;
  /** Checks another path than the one asked for; a text is what is wrong with it. */
  checkPath?(path: string): Promise<string | null>;
}

/** A request for a person's word, as data; what can be done with it is its requester's. */
export interface ApprovalRequest<Outcome> {
  readonly requester: Requester<Outcome>;
  readonly actor: Actor;
  /** Id of the tool call that asks, or of the evaluation whose code does; null when neither is known. */
  readonly call: string;
  readonly tool: string;
  readonly level: SafetyLevel;
  readonly arguments: Arguments;
  readonly rule: string;
  /** The reason behind the rule; left out where nothing is known of it. */
  readonly reason?: CardReason;
  /** Like requests share a card; a request with a key of its own never does. */
  readonly key?: string;
  /** The handle that its client waits for where that is not the request's own: the call whose code asks. */
  readonly handle?: string;
  /** Queues the request, until the signal fires, while its client has as many cards as it may. Without it such a request is refused. */
  readonly queueUntil?: AbortSignal;
  /** The notice on the request's first card. */
  readonly notice?: string;
  /** True when the client that asks can put the question to its own person. */
  readonly askable?: boolean;
  /** True of a request that is not kept over the end of the program, because what asks ends with that. */
  readonly transient?: boolean;
}

export type Settlement<Outcome> =
  /** `unasked`: no person was asked about it. */
  | { readonly denied: false; readonly outcome: Outcome; readonly modified: boolean; readonly unasked?: boolean }
  /** `by`: who else than a person it was. */
  | { readonly denied: true; readonly reason: string; readonly abort?: boolean; readonly by?: string };

export interface Ticket<Outcome> {
  readonly id: string;
  readonly settled: Promise<Settlement<Outcome>>;
}
