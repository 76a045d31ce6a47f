/** The dialog or palette that is open over the window; at most one at a time. */
import { makeStore } from '../store.ts';

export type Overlay =
  /** `typedOver`: how many characters of the text stay when something is typed; all of them where it is left out. */
  | { kind: 'palette'; text: string; typedOver?: number }
  | { kind: 'connect' | 'servers' | 'targets' | 'settings' | 'help' | 'new-project' | 'tour' }
  | { kind: 'rename'; what: 'repl' | 'image'; id: string; name: string }
  | { kind: 'protection'; image: string }
  | { kind: 'make-checkpoint' | 'choose-checkpoint' | 'save-image' | 'saved-images' | 'save-executable' };

const [store, useStored] = makeStore<{ open: Overlay | null }>({ open: null });

export function useOverlay(): Overlay | null {
  return useStored((state) => state.open);
}

/** Calls a function when another overlay is open, or none any more. */
export function onOverlay(changed: (open: Overlay | null) => void): void {
  store.subscribe(({ open }) => changed(open));
}

/** Opens an overlay, unless it is open already. */
export function openOverlay(overlay: Overlay): void {
  if (store.getState().open?.kind !== overlay.kind) store.setState({ open: overlay });
}

export function closeOverlay(): void {
  store.setState({ open: null });
}
