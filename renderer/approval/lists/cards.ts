/** Chooses the open card, lists the other waiting cards, and composes the announcement of a new card. Pure. */
import { capitalized, oneLine } from '#contract/text/text.ts';
import type { ApprovalCard, DecidedApproval } from '#contract/decisions/approval.ts';
import { NO_REASON, requestsWait } from '#contract/decisions/decision.ts';
import { visible } from '#contract/text/visible.ts';

/** Returns the card to keep open: the previously open one while it still waits, otherwise the one that has waited longest. */
export function openCard(waiting: readonly ApprovalCard[], open: string | null): ApprovalCard | null {
  return waiting.find(({ id }) => id === open) ?? waiting[0] ?? null;
}

/** Returns the card after the open one, wrapping around to the first; null if no other card is waiting. */
export function nextCard(waiting: readonly ApprovalCard[], open: string | null): ApprovalCard | null {
  if (waiting.length < 2) return null;
  const at = waiting.findIndex(({ id }) => id === open);
  return waiting[(at + 1) % waiting.length] ?? null;
}

export function cardsBelow(waiting: readonly ApprovalCard[], open: string | null): ApprovalCard[] {
  return waiting.filter(({ id }) => id !== open);
}

export function arrivals(before: readonly ApprovalCard[], after: readonly ApprovalCard[]): ApprovalCard[] {
  const known = new Set(before.map(({ id }) => id));
  return after.filter(({ id }) => !known.has(id));
}

/** Returns the announcement of new cards for a screen reader; empty if there are none. */
export function announcement(arrived: readonly ApprovalCard[]): string {
  const [first] = arrived;
  if (!first) return '';
  if (arrived.length > 1) return requestsWait(arrived.length);
  const careful = first.configures === null ? '' : ` Careful: ${first.configures}`;
  return visible(`New request from ${first.actor.name}: ${first.headline}.${careful}`);
}

export interface DecidedWords {
  readonly outcome: string;
  readonly headline: string;
  readonly reason: string | null;
}

const PERSON = 'you';
/** The maximum number of characters shown of a failure's text; Activity shows all of it. */
const MOST_OF_FAILURE = 240;

/** Describes a decision: "You denied:", the effect, and the reason. The person's text is quoted; the workbench's own text is not. */
export function decidedWords({ decision, by, headline, reason, failure }: DecidedApproval): DecidedWords {
  if (decision === 'unknown') return { outcome: 'Outcome unknown', headline: uncapitalized(headline), reason };
  const did =
    decision === 'denied' ? 'denied' : decision === 'modified' && !reason ? 'approved with changes' : 'approved';
  const outcome = by === PERSON ? `You ${did}` : by === 'nobody' ? capitalized(did) : `${capitalized(did)} by ${by}`;
  const given = reason && reason !== NO_REASON ? visible(oneLine(reason)) : null;
  const why = given && by === PERSON && decision === 'denied' ? `“${given}”` : given;
  const failed = failure === null ? null : `it failed: ${shortened(visible(oneLine(failure)))}`;
  return {
    outcome: visible(outcome),
    headline: uncapitalized(headline),
    reason: [why, failed].filter((each) => each !== null).join('; ') || null,
  };
}

function shortened(words: string): string {
  return words.length > MOST_OF_FAILURE ? `${words.slice(0, MOST_OF_FAILURE)}…` : words;
}

/** Splits a headline into the text before its path, the path, and the text after it, so that the path can be styled. */
export function aroundPath(headline: string, path: string | undefined): [string, string, string] {
  const at = path ? headline.indexOf(path) : -1;
  if (at < 0 || !path) return [visible(headline), '', ''];
  return [visible(headline.slice(0, at)), visible(path), visible(headline.slice(at + path.length))];
}

function uncapitalized(words: string): string {
  return /^[A-Z][a-z]/.test(words) ? words.slice(0, 1).toLowerCase() + words.slice(1) : words;
}
