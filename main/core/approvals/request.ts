/** Requests for approval and their possible results: the types shared by requesters, the queue and waiters. */
import type { ApprovalCard, CardEffect, CardReason } from '#contract/decisions/approval.ts';
import type { Actor } from '#contract/image/session.ts';
import type { SafetyLevel } from '#contract/clients/tool.ts';

export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** The current state of a file that is to be moved or deleted. */
interface FileTarget {
  readonly absolutePath: string;
  readonly size: number;
  /** The time of the last modification, in milliseconds since the epoch. */
  readonly modified: number;
}

/** Suspended code with the restarts that it offers. */
interface EffectOnCard extends CardEffect {
  /** True if the effect starts a program: each target is then a command. */
  readonly program: boolean;
  /** Facts that apply to all targets of the effect, under the names that the image uses. */
  readonly facts: readonly NamedValue[];
  /** True if the person can enter another path instead. */
  readonly redirectable: boolean;
  /** True if the person can end the evaluation instead of letting it continue after a denial. */
  readonly abortable: boolean;
}

/** The facts for the card of a request. They are determined again from the target's current state before the request runs. */
export interface CardFacts
  extends Pick<ApprovalCard, 'headline' | 'editable' | 'change' | 'claim'>, Partial<Pick<ApprovalCard, 'choosable'>> {
  readonly arguments: readonly NamedValue[];
  /** A text that says whether the request can be undone, and why: "Reversible: the file is kept and can be put back". */
  readonly reversible: string;
  readonly target?: FileTarget;
  /** A sentence about the programs that the changed file can start; null or absent for other files. */
  readonly configures?: string | null;
  readonly checked?: ApprovalCard['facts']['checked'];
  readonly effect?: EffectOnCard;
  /** The proposed restart, for the debugger that displays it. */
  readonly proposal?: NonNullable<ApprovalCard['proposal']>;
  /** The canonical paths of all files that a file tool would change, which are part of `targetState`; absent for other requests. */
  readonly files?: readonly string[];
  /** The target and its state, e.g. the file's canonical path and the digest of its bytes. */
  readonly targetState: string;
}

export type Arguments = Record<string, unknown>;

/** A request as the person approved it. */
export interface Approved {
  /** The handle of the approved request. */
  readonly id: string;
  /** The state of the target when the card was drawn. The code that changes the target checks that the state is still the same. */
  readonly targetState: string;
  /** The caller's original arguments if the person changed them; otherwise null. */
  readonly original: Arguments | null;
  /** The indices of the accepted hunks, if some hunks were left out; null means all. */
  readonly hunks: readonly number[] | null;
  /** The path to use instead; null for the requested one. */
  readonly path: string | null;
  /** True if the person approved the card in the workbench itself. Absent if a rule or another program approved the request. */
  readonly byPerson?: boolean;
  /** The place where the approval was given, if it was not the workbench itself: "answered in NAME". */
  readonly by?: string;
}

/** A rule that could answer later requests. It would have answered `matched` of the client's last `of` requests. */
export interface OfferedScope {
  readonly id: string;
  /** The rule in words, with its scope and its end. */
  readonly label: string;
  readonly matched: number;
  readonly of: number;
}

/** The code behind a request: a tool call, or the effects of running code. A requester draws, checks and performs its request. */
export interface Requester<Outcome> {
  /** @throws if the request is no longer meaningful; the message is the answer to the caller. */
  draw(args: Arguments): Promise<CardFacts>;
  /** Checks arguments that the person edited. Returns the problem as text; null if there is none. */
  check(args: Arguments): string | null;
  /** Performs the request. Called at most once. */
  perform(args: Arguments, approved: Approved): Promise<Outcome>;
  /** Returns the reason why an outcome is a failure, for the list of decided requests; null if it is a success. */
  failure?(outcome: Outcome): string | null;
  /** Returns the rules with which the person can answer later requests. */
  scopes?(): readonly OfferedScope[];
  /** Grants the rule of a scope. Returns false if it is not one of `scopes`. */
  remember?(scope: string): boolean;
  /** Checks a path that replaces the requested one. Resolves with the problem as text; null if there is none. */
  checkPath?(path: string): Promise<string | null>;
}

/** A request for approval, as data; its requester provides the operations. */
export interface ApprovalRequest<Outcome> {
  readonly requester: Requester<Outcome>;
  readonly actor: Actor;
  /** The id of the tool call that asks, or of the evaluation whose code asks. */
  readonly call: string;
  readonly tool: string;
  readonly level: SafetyLevel;
  readonly arguments: Arguments;
  readonly rule: string;
  /** The detailed reason why the request needs approval; absent if unknown. */
  readonly reason?: CardReason;
  /** The key: requests with equal keys share a card. A request with a unique key always has its own card. */
  readonly key?: string;
  /** The handle for which the client waits, if it is not the request's own handle: the handle of the call whose code asks. */
  readonly handle?: string;
  /**
   * If the client has the maximum number of cards, the request waits in line until this signal fires. Without a signal, such a request is
   * refused.
   */
  readonly queueUntil?: AbortSignal;
  /** The notice on the request's first card. */
  readonly notice?: string;
  /** True if the requesting client can ask the person who uses it. */
  readonly askable?: boolean;
  /** True for a request that is not stored on disk, because its requester ends with the program. */
  readonly transient?: boolean;
}

export type Settlement<Outcome> =
  /** `unasked`: true if no person decided about the request. */
  | { readonly denied: false; readonly outcome: Outcome; readonly modified: boolean; readonly unasked?: boolean }
  /** `by`: the author of the denial, if that was not a person. */
  | { readonly denied: true; readonly reason: string; readonly abort?: boolean; readonly by?: string };

export interface Ticket<Outcome> {
  readonly id: string;
  readonly settled: Promise<Settlement<Outcome>>;
}
