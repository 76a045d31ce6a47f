/** A request in the queue, and the checks of a decision about it. */
import type { ApprovalCard, ApprovalDecision, DecisionAnswer } from '#contract/decisions/approval.ts';
import { DECISION_ANSWERS, INERT_MS } from '#contract/decisions/decision.ts';
import { bind, cardOf, type CardBefore } from '../card/card.ts';
import type { Deadline } from '../deadline.ts';
import { fingerprint } from '../fingerprint.ts';
import type { ApprovalRequest, Approved, Arguments, CardFacts, Settlement, Ticket } from '../request.ts';

export interface Entry<Outcome> extends Ticket<Outcome> {
  readonly request: ApprovalRequest<Outcome>;
  /** The request's key; equal requests have the same key. */
  readonly key: string;
  /** The handle for which the client waits: the handle of the entry itself, or of the call whose code asks. */
  readonly handle: string;
  readonly settle: (settlement: Settlement<Outcome>) => void;
  readonly deadline: Deadline;
  /** The digest of the arguments and of the target's state. */
  bound: string;
  targetState: string;
  card: ApprovalCard;
  /** The time of the request, in milliseconds of the monotonic clock. */
  readonly askedAt: number;
  /** The time at which the card was last drawn, in milliseconds of the monotonic clock. */
  drawnAt: number;
  /** True if the client gave up waiting at least once. */
  wasLeft: boolean;
  decided: boolean;
}

/** Creates a request's entry with its first card. `before` contains fields to copy from an earlier card. */
export function newEntry<Outcome>(
  known: Pick<Entry<Outcome>, 'id' | 'handle' | 'request' | 'key' | 'settled' | 'settle' | 'deadline'>,
  facts: CardFacts,
  before?: CardBefore,
): Entry<Outcome> {
  const { id, request, deadline } = known;
  const bound = bind(request, facts);
  return {
    ...known,
    bound,
    targetState: facts.targetState,
    card: cardOf(id, request, facts, bound, deadline, before),
    askedAt: performance.now(),
    drawnAt: performance.now(),
    wasLeft: before?.abandoned ?? false,
    decided: false,
  };
}

/** Returns the reason why an approval of the card with the fingerprint `drawn` does not count yet; null if it counts. */
export function tooEarly(
  { card, drawnAt }: Pick<Entry<never>, 'card' | 'drawnAt'>,
  drawn: string,
  inertMs = INERT_MS,
): DecisionAnswer | null {
  if (drawn !== card.fingerprint) return DECISION_ANSWERS.changed;
  return performance.now() - drawnAt < inertMs ? DECISION_ANSWERS.tooSoon : null;
}

/** Returns the arguments with which the request will run, and whether they differ from the requested ones. */
export function agreed(
  {
    id,
    request,
    card,
    targetState,
  }: Pick<Entry<never>, 'id' | 'card' | 'targetState'> & { request: { arguments: Arguments } },
  decision: Exclude<ApprovalDecision, { decision: 'denied' }>,
): { args: Arguments; approved: Approved; modified: boolean; remember: string | null } {
  const original = request.arguments;
  const args = decision.decision === 'modified' ? decision.arguments : original;
  const { hunks, path, remember } = decision.decision === 'approved' ? decision : {};
  const taken = [...new Set(hunks)].sort((one, other) => one - other);
  const approved: Approved = {
    id,
    targetState,
    original: fingerprint(args) === fingerprint(original) ? null : original,
    hunks: hunks && taken.length < (card.change?.hunks.length ?? 0) ? taken : null,
    path: path ?? null,
  };
  const modified = approved.original !== null || approved.hunks !== null || approved.path !== null;
  return { args, approved, modified, remember: remember ?? null };
}

/**
 * Returns the person's choices other than plain approval, for the record: "2 of 3 changes", "at other.txt instead"; null if there are none.
 */
export function chosenInWords(
  card: Pick<ApprovalCard, 'change' | 'scopes'>,
  decision: Exclude<ApprovalDecision, { decision: 'denied' }>,
  { hunks, original }: Pick<Approved, 'hunks' | 'original'>,
): string | null {
  const { path, remember } = decision.decision === 'approved' ? decision : {};
  const rule = card.scopes.find(({ id }) => id === remember);
  const chosen = [
    ...(original === null ? [] : ['edited']),
    ...(hunks === null ? [] : [`${hunks.length} of ${card.change?.hunks.length ?? 0} changes`]),
    ...(path === undefined ? [] : [`at ${path} instead`]),
    ...(rule === undefined ? [] : [`also similar requests: ${rule.label}`]),
  ];
  return chosen.length === 0 ? null : chosen.join(', ');
}
