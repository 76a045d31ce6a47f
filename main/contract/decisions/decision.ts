/**
 * Texts and times for a person's decision about a card, and every possible answer to it. Main enforces them; the page and the terminal show
 * them. This file has no schemas, so that a page that imports it does not load zod.
 */
import type { DecisionAnswer } from './approval.ts';

/**
 * The number of milliseconds during which a card cannot be approved after it has appeared, changed or come into view. This prevents an
 * accidental approval by a click on something else.
 */
export const INERT_MS = 700;

/** Answers that do not depend on the card. */
export const DECISION_ANSWERS = {
  accepted: { accepted: true, reason: 'accepted', message: null },
  /** The card changed since the decision was made. */
  changed: { accepted: false, reason: 'stale', message: 'The card has changed. Review it again.' },
  /** The target of the card has changed. This was only detected when the decision was about to be carried out. */
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

/** Returns the answer for a request that can no longer be performed; `message` gives the reason. */
export function impossible(message: string): DecisionAnswer {
  return { accepted: false, reason: 'gone', message };
}

/** Returns the answer for a decision that the card does not offer; `message` says which. */
export function notOffered(message: string): DecisionAnswer {
  return { accepted: false, reason: 'invalid', message };
}

/** The reason why an approval without any accepted hunk is refused. */
export const NOTHING_CHOSEN = 'Nothing is selected. Deny the request instead.';

/** The text used when the person denies without a reason. */
export const NO_REASON = 'No reason was given.';

/** Returns a sentence with the number of waiting requests: `2 requests are waiting for you.` */
export function requestsWait(count: number): string {
  return count === 1 ? '1 request is waiting for you.' : `${count} requests are waiting for you.`;
}
