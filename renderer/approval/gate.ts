/**
 * When an approval counts. A card that just appeared or changed is inert, so that a click meant for something else does
 * nothing; what was folded must have been opened; and a press counts only when all of it happened after that. Pure.
 */

/** The same time as main's, which enforces it too. */
export const INERT_MS = 700;

export interface Press {
  readonly trusted: boolean;
  /** When the button went down; null when only its release was told, as by a screen reader. */
  readonly pressedAt: number | null;
  readonly releasedAt: number;
}

export function isInert(shownAt: number, now: number): boolean {
  return now - shownAt < INERT_MS;
}

/** Whether a press was made for what is shown since `shownAt`. */
export function counts({ trusted, pressedAt, releasedAt }: Press, shownAt: number): boolean {
  return trusted && !isInert(shownAt, releasedAt) && (pressedAt === null || !isInert(shownAt, pressedAt));
}

export interface Obstacles {
  readonly inert: boolean;
  readonly sending: boolean;
  /** Folded parts that were not opened yet. */
  readonly folded: number;
  /** What else is missing, in words. */
  readonly missing?: string | null;
}

/** Why Approve does nothing now, as it stands beside the buttons; null when it works. */
export function whyNot({ inert, sending, folded, missing }: Obstacles): string | null {
  if (sending) return 'Sending your decision.';
  if (inert) return 'Just arrived. Look first.';
  if (folded > 0) return folded === 1 ? 'Open the folded part first.' : `Open the ${folded} folded parts first.`;
  return missing ?? null;
}
