/** The time at which the current state of the card appeared, and whether the card still ignores clicks. */
import { useEffect, useState } from 'react';
import type { ApprovalBridge } from '#contract/rpc.ts';
import { INERT_MS } from '#contract/decisions/decision.ts';

/** How long, in milliseconds, no frame may be drawn before the page asks the main process to show the view again. */
const UNDRAWN_MS = 3_000;

export interface Shown {
  /** The time, on the page's monotonic clock, at which the card was drawn; infinite until it is on the screen. */
  readonly shownAt: number;
  readonly inert: boolean;
  /** Restarts the inert time, for example after the main process rejected a decision as too early. */
  readonly again: () => void;
}

interface State {
  readonly what: string;
  readonly shownAt: number;
  readonly inert: boolean;
}

const unseen = (what: string): State => ({ what, shownAt: Infinity, inert: true });

/**
 * Returns when the card appeared and whether it can be decided yet. `what` identifies the drawn state of the card. The inert time restarts
 * if `what` changes or the view is shown again.
 */
export function useGate(service: ApprovalBridge, what: string): Shown {
  const [known, setState] = useState(() => unseen(what));
  const state = known.what === what ? known : unseen(what);
  if (state !== known) setState(state);

  useEffect(() => service.on('view-shown', () => setState(({ what: shown }) => unseen(shown))), [service]);

  // The state changes only while it is still this object. Otherwise a late frame or timer could end a wait that has since been restarted.
  useEffect(() => {
    const next = (change: Partial<State>): void => setState((now) => (now === state ? { ...now, ...change } : now));
    if (state.shownAt === Infinity) {
      // The inert time starts at the frame that draws the card.
      const frame = requestAnimationFrame(() => next({ shownAt: performance.now() }));
      const late = setInterval(() => void service.call('approval.showAgain', {}).catch(() => {}), UNDRAWN_MS);
      return () => {
        cancelAnimationFrame(frame);
        clearInterval(late);
      };
    }
    if (!state.inert) return;
    const timer = setTimeout(() => next({ inert: false }), Math.max(0, INERT_MS + state.shownAt - performance.now()));
    return () => clearTimeout(timer);
  }, [service, state]);

  return { shownAt: state.shownAt, inert: state.inert, again: () => setState(unseen(what)) };
}
