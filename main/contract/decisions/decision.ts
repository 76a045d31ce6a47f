/**
 * Words and times of a person's decision about a card, and every answer that the decision can get. Main enforces them; the
 * page and the terminal show them. This file has no schemas, so that a page that imports it is not given zod.
 */
import type { DecisionAnswer } from './approval.ts';

/**
 * Milliseconds for which a card that has just appeared, changed or come into view cannot be approved: a click meant for
 * something else must not count.
 */
export const INERT_MS = 700;

/** Answers that are the same whatever the card is about. */
export const DECISION_ANSWERS = {
  accepted: { accepted: true, reason: 'accepted', message: null },
  /** The card is another one than the decision was made for. */
  changed: { accepted: false, reason: 'stale', message: 'The card has changed. Look again.' },
  /** The target of the card had changed, which was found when the decision was about to be carried out. */
  redrawn: {
    accepted: false,
    reason: 'stale',
    message: 'The target changed after the card was drawn. Nothing ran.',
  },
  tooSoon: { accepted: false, reason: 'too-soon', message: 'The card has just been drawn. Look at it first.' },
  outOfView: {
    accepted: false,
    reason: 'too-soon',
    message: 'Review has just come into view. Look at the card first.',
  },
  tooLate: { accepted: false, reason: 'gone', message: 'This request was decided already.' },
} as const satisfies Readonly<Record<string, DecisionAnswer>>;

/** The request cannot be performed any more, as `message` says. */
export function impossible(message: string): DecisionAnswer {
  return { accepted: false, reason: 'gone', message };
}

/** The card does not offer what was decided, as `message` says. */
export function notOffered(message: string): DecisionAnswer {
  return { accepted: false, reason: 'invalid', message };
}

/** Reason why a choice of no hunk at all is refused. */
export const NOTHING_CHOSEN = 'Nothing is chosen. Deny it instead.';

/** Stands for the reason of a denial where the person gave none. */
export const NO_REASON = 'No reason was given.';

/** Tells of requests that wait: `2 requests wait for you.` */
export function requestsWait(count: number): string {
  return count === 1 ? '1 request waits for you.' : `${count} requests wait for you.`;
}
