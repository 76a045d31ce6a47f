/** Tells when the card came into view as it is now, and whether it is still inert. */
import { useEffect, useState } from 'react';
import type { ApprovalBridge } from '#contract/rpc.ts';
import { INERT_MS } from '#contract/decisions/decision.ts';

/** Milliseconds without a frame after which main is asked to show the view anew. */
const UNDRAWN_MS = 3_000;

export interface Shown {
  /** The time at which the card was drawn, on the page's monotonic clock; infinite until it is on the screen. */
  readonly shownAt: number;
  readonly inert: boolean;
  /** Begins the inert time anew, as when main finds that a decision came too soon. */
  readonly again: () => void;
}

interface State {
  readonly what: string;
  readonly shownAt: number;
  readonly inert: boolean;
}

const unseen = (what: string): State => ({ what, shownAt: Infinity, inert: true });

/**
 * Tells whether the card can be decided. `what` names the card as it is drawn; each new value, and each showing of the
 * view, begins the inert time anew.
 */
export function useGate(service: ApprovalBridge, what: string): Shown {
  const [known, setState] = useState(() => unseen(what));
  const state = known.what === what ? known : unseen(what);
  if (state !== known) setState(state);

  useEffect(() => service.on('view-shown', () => setState(({ what: shown }) => unseen(shown))), [service]);

  // Changes apply to this very state: a wait that began anew in the same moment must not be taken for the one before.
  useEffect(() => {
    const next = (change: Partial<State>): void => setState((now) => (now === state ? { ...now, ...change } : now));
    if (state.shownAt === Infinity) {
      // The time counts from the frame that draws the card.
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
