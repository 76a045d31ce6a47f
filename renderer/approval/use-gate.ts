/** When the card came into view as it is now, and whether it is still inert. */
import { useEffect, useState } from 'react';
import type { ApprovalBridge } from '#contract/rpc.ts';
import { INERT_MS } from './gate.ts';

export interface Shown {
  /** On the page's clock; infinite until the card is on the screen. */
  readonly shownAt: number;
  readonly inert: boolean;
  /** Begins the wait anew, as when main finds that a decision came too soon. */
  readonly again: () => void;
}

interface State {
  readonly what: string;
  readonly shownAt: number;
  readonly inert: boolean;
}

const unseen = (what: string): State => ({ what, shownAt: Infinity, inert: true });

/** `what` names the card as it is drawn; each other value, and each time the view is shown, begins the wait anew. */
export function useGate(service: ApprovalBridge, what: string): Shown {
  const [known, setState] = useState(() => unseen(what));
  const state = known.what === what ? known : unseen(what);
  if (state !== known) setState(state);

  useEffect(() => service.on('view-shown', () => setState(({ what: shown }) => unseen(shown))), [service]);

  // Of this very state: a wait that began anew in the same moment must not be taken for the one before.
  useEffect(() => {
    const next = (change: Partial<State>): void => setState((now) => (now === state ? { ...now, ...change } : now));
    if (state.shownAt === Infinity) {
      // Counted from the frame that draws it.
      const frame = requestAnimationFrame(() => next({ shownAt: performance.now() }));
      return () => cancelAnimationFrame(frame);
    }
    if (!state.inert) return;
    const timer = setTimeout(() => next({ inert: false }), Math.max(0, INERT_MS + state.shownAt - performance.now()));
    return () => clearTimeout(timer);
  }, [state]);

  return { shownAt: state.shownAt, inert: state.inert, again: () => setState(unseen(what)) };
}
