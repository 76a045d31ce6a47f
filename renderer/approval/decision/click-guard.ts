/**
 * Decides whether a click on Approve counts. A new or changed card ignores clicks for a moment, because they may have been meant for
 * something else. The press must start and end after that moment, and all folded parts must have been opened. Pure.
 */
import { INERT_MS } from '#contract/decisions/decision.ts';

export interface Press {
  readonly trusted: boolean;
  /** The time at which the button was pressed down; null if only the release was reported, for example by a screen reader. */
  readonly pressedAt: number | null;
  readonly releasedAt: number;
}

/** True while a card is too new to accept a decision. @internal Exported for its test. */
export function isInert(shownAt: number, now: number): boolean {
  return now - shownAt < INERT_MS;
}

/** True if the press started and ended after the content drawn at `shownAt` began to accept clicks. */
export function counts({ trusted, pressedAt, releasedAt }: Press, shownAt: number): boolean {
  return trusted && !isInert(shownAt, releasedAt) && (pressedAt === null || !isInert(shownAt, pressedAt));
}

export interface Obstacles {
  readonly inert: boolean;
  readonly sending: boolean;
  /** The number of folded parts that have not been opened yet. */
  readonly folded: number;
  /** The reason why the decision is incomplete, as text; null or omitted if there is none. */
  readonly missing?: string | null;
}

/** Returns the text shown beside the buttons that explains why Approve is blocked; null if it is not blocked. */
export function whyNot({ inert, sending, folded, missing }: Obstacles): string | null {
  if (sending) return 'Sending your decision…';
  if (inert) return 'This request just arrived. Read it first.';
  if (folded > 0) return folded === 1 ? 'Open the folded part first.' : `Open the ${folded} folded parts first.`;
  return missing ?? null;
}
