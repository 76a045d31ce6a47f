/** Draws the card of a request, binds it to what it shows (K3), and says what of it a person may change. Pure but for the clock. */
import type { ApprovalCard, ApprovalDecision } from '#contract/approval.ts';
import type { Deadline } from './deadline.ts';
import { fingerprint } from './fingerprint.ts';
import type { ApprovalRequest, Arguments, CardFacts } from './request.ts';

type Asked = Pick<ApprovalRequest<never>, 'actor' | 'tool' | 'level' | 'rule' | 'reason' | 'arguments' | 'scopes'>;

/** What is known of a card before it is drawn. */
export type CardBefore = Partial<Pick<ApprovalCard, 'requestedAt' | 'notice' | 'abandoned'>>;

/** Digest of the tool, its arguments and the state of what they would act on. */
export function bind(request: Pick<Asked, 'tool' | 'arguments'>, facts: CardFacts): string {
  return fingerprint([request.tool, request.arguments, facts.targetState]);
}

/** A card whose client gave up needs a click of its own. */
export function shownFingerprint(bound: string, abandoned: boolean): string {
  return abandoned ? fingerprint([bound, 'abandoned']) : bound;
}

/** What a card says whose client gave up. */
export function leftNotice({ actor }: Pick<Asked, 'actor'>): string {
  return `${actor.name} stopped waiting. Run anyway?`;
}

export function cardOf(
  id: string,
  request: Asked,
  facts: CardFacts,
  bound: string,
  deadline: Deadline,
  before?: CardBefore,
): ApprovalCard {
  const { targetState: _bound, choosable, effect, target, checked, ...shown } = facts;
  const { actor, tool, level } = request;
  const abandoned = before?.abandoned ?? false;
  return {
    id,
    actor,
    tool,
    level,
    ...shown,
    choosable: choosable ?? false,
    effect: effect ?? null,
    target: target ?? null,
    checked: checked ?? null,
    scopes: request.scopes?.() ?? [],
    requestedAt: before?.requestedAt ?? Date.now(),
    deadline: deadline.at,
    rule: `Asked because ${request.rule}.`,
    reason: request.reason ?? null,
    fingerprint: shownFingerprint(bound, abandoned),
    state: 'waiting',
    notice: before?.notice ?? null,
    abandoned,
  };
}

/** What is wrong with a decision, given what the card offers; null when nothing is. */
export async function faultOf(
  request: Pick<ApprovalRequest<never>, 'arguments' | 'check' | 'checkPath'>,
  card: ApprovalCard,
  decision: Exclude<ApprovalDecision, { decision: 'denied' }>,
): Promise<string | null> {
  if (decision.decision === 'modified')
    return changedUnshown(card, request.arguments, decision.arguments) ?? request.check(decision.arguments);
  const { hunks, path, remember } = decision;
  if (hunks) {
    const count = card.change?.hunks.length ?? 0;
    if (!card.choosable || hunks.some((hunk) => hunk >= count)) return 'This card has no such part to choose.';
    if (hunks.length === 0) return 'Nothing is chosen. Deny it instead.';
  }
  if (remember !== undefined && !card.scopes.some(({ id }) => id === remember)) return 'This card offers no such rule.';
  if (path === undefined) return null;
  if (!card.effect?.redirectable || !request.checkPath) return 'This cannot be done at another path.';
  return request.checkPath(path);
}

/** What a person may not have changed: the card was drawn for everything but its one editable argument. Null when nothing. */
function changedUnshown(card: ApprovalCard, original: Arguments, edited: Arguments): string | null {
  const names = new Set([...Object.keys(original), ...Object.keys(edited)]);
  const changed = [...names].find(
    (name) => name !== card.editable && fingerprint(original[name]) !== fingerprint(edited[name]),
  );
  if (changed === undefined) return null;
  return card.editable === null
    ? 'This request can be approved or denied, not edited.'
    : `Only ${card.editable} can be edited: the card was drawn for this ${changed}.`;
}

/** `5` as "5 minutes". */
export function minutesInWords(minutes: number): string {
  if (minutes < 1) return `${Math.round(minutes * 60)} seconds`;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
