/** Which card is open, which wait below it, and what is said when one arrives. Pure. */
import type { ApprovalCard, DecidedApproval } from '#contract/approval.ts';
import { visible } from '#contract/visible.ts';

/** The card that is open stays so until it is gone; then it is the one that waits longest. */
export function openCard(waiting: readonly ApprovalCard[], open: string | null): ApprovalCard | null {
  return waiting.find(({ id }) => id === open) ?? waiting[0] ?? null;
}

/** The one after the open card, the first after the last; null when no other waits. */
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

/** For a screen reader; empty when nothing arrived. */
export function announcement(arrived: readonly ApprovalCard[]): string {
  const [first] = arrived;
  if (!first) return '';
  if (arrived.length > 1) return `${arrived.length} requests wait for you.`;
  return visible(`New request from ${first.actor.name}: ${first.headline}.`);
}

export interface DecidedWords {
  readonly outcome: string;
  readonly headline: string;
  readonly reason: string | null;
}

const PERSON = 'you';
const NO_REASON = 'No reason was given.';

/** "You denied:", the effect, and why. What a person wrote is quoted, what the workbench says is not. */
export function decidedWords({ decision, by, headline, reason }: DecidedApproval): DecidedWords {
  if (decision === 'unknown') return { outcome: 'Outcome unknown', headline: uncapitalized(headline), reason };
  const did =
    decision === 'denied' ? 'denied' : decision === 'modified' && !reason ? 'approved with changes' : 'approved';
  const outcome = by === PERSON ? `You ${did}` : by === 'nobody' ? capitalized(did) : `${capitalized(did)} by ${by}`;
  const given = reason && reason !== NO_REASON ? visible(oneLine(reason)) : null;
  return {
    outcome: visible(outcome),
    headline: uncapitalized(headline),
    reason: given && by === PERSON && decision === 'denied' ? `“${given}”` : given,
  };
}

/** The headline with what it acts on apart, so that a path can be drawn as one. */
export function aroundPath(headline: string, path: string | undefined): [string, string, string] {
  const at = path ? headline.indexOf(path) : -1;
  if (at < 0 || !path) return [visible(headline), '', ''];
  return [visible(headline.slice(0, at)), visible(path), visible(headline.slice(at + path.length))];
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, ' ');
}

function capitalized(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function uncapitalized(words: string): string {
  return /^[A-Z][a-z]/.test(words) ? words.slice(0, 1).toLowerCase() + words.slice(1) : words;
}
