/** Draws the card of a request and binds it to what it shows (K3). Pure but for the clock. */
import type { ApprovalCard } from '#contract/approval.ts';
import type { Deadline } from './deadline.ts';
import { fingerprint } from './fingerprint.ts';
import type { ApprovalRequest, Arguments, CardFacts } from './request.ts';

type Asked = Pick<ApprovalRequest<never>, 'actor' | 'tool' | 'level' | 'rule' | 'arguments'>;

/** Digest of the tool, its arguments and the state of what they would act on. */
export function bind(request: Pick<Asked, 'tool' | 'arguments'>, facts: CardFacts): string {
  return fingerprint([request.tool, request.arguments, facts.targetState]);
}

/** A card whose client gave up needs a click of its own. */
export function shownFingerprint(bound: string, abandoned: boolean): string {
  return abandoned ? fingerprint([bound, 'abandoned']) : bound;
}

export function cardOf(
  id: string,
  request: Asked,
  facts: CardFacts,
  bound: string,
  deadline: Deadline,
  before?: ApprovalCard,
): ApprovalCard {
  const { targetState: _bound, ...shown } = facts;
  const { actor, tool, level } = request;
  const abandoned = before?.abandoned ?? false;
  return {
    id,
    actor,
    tool,
    level,
    ...shown,
    requestedAt: before?.requestedAt ?? Date.now(),
    deadline: deadline.at,
    rule: `Asked because ${request.rule}.`,
    fingerprint: shownFingerprint(bound, abandoned),
    state: 'waiting',
    notice: before?.notice ?? null,
    abandoned,
  };
}

/** What a person may not have changed: the card was drawn for everything but its one editable argument. Null when nothing. */
export function changedUnshown(card: ApprovalCard, original: Arguments, edited: Arguments): string | null {
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
