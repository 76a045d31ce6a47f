/**
 * Decides when an approval counts. A card that just appeared or changed is inert, so that a click meant for something else does
 * nothing; folded parts must have been opened; and a press counts only when it began and ended after that. Pure.
 */
import { INERT_MS } from '#contract/decisions/decision.ts';

export interface Press {
  readonly trusted: boolean;
  /** The time at which the button went down; null when only its release was told, as by a screen reader. */
  readonly pressedAt: number | null;
  readonly releasedAt: number;
}

/** True while a card is too new to be decided. @internal Exported for its test. */
export function isInert(shownAt: number, now: number): boolean {
  return now - shownAt < INERT_MS;
}

/** True when a press was made for what is shown since `shownAt`. */
export function counts({ trusted, pressedAt, releasedAt }: Press, shownAt: number): boolean {
  return trusted && !isInert(shownAt, releasedAt) && (pressedAt === null || !isInert(shownAt, pressedAt));
}

export interface Obstacles {
  readonly inert: boolean;
  readonly sending: boolean;
  /** Folded parts that were not opened yet. */
  readonly folded: number;
  /** The reason, in words, why a decision cannot be made yet. */
  readonly missing?: string | null;
}

/** The reason why Approve does nothing now, shown beside the buttons; null when it works. */
export function whyNot({ inert, sending, folded, missing }: Obstacles): string | null {
  if (sending) return 'Sending your decision.';
  if (inert) return 'Just arrived. Look first.';
  if (folded > 0) return folded === 1 ? 'Open the folded part first.' : `Open the ${folded} folded parts first.`;
  return missing ?? null;
}
