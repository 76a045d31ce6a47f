/** The dialog or palette that is open over the window; at most one at a time. */
import { makeStore } from '../store.ts';

export type Overlay =
  /** `typedOver`: the number of characters at the start that remain when the user types; all of them if omitted. */
  | { kind: 'palette'; text: string; typedOver?: number }
  | { kind: 'connect' | 'servers' | 'targets' | 'settings' | 'help' | 'new-project' | 'tour' }
  | { kind: 'rename'; what: 'repl' | 'image'; id: string; name: string }
  | { kind: 'protection'; image: string }
  /** `version`: the version to compare with; null for the newest one. */
  | { kind: 'update-dist'; dist: string; version: string | null }
  | { kind: 'dist-versions'; dist: string }
  | { kind: 'add-library'; library: string }
  | { kind: 'make-checkpoint' | 'choose-checkpoint' | 'save-image' | 'saved-images' | 'save-executable' };

const [store, useStored] = makeStore<{ open: Overlay | null }>({ open: null });

export function useOverlay(): Overlay | null {
  return useStored((state) => state.open);
}

/** Calls a function whenever another overlay opens or the overlay closes. */
export function onOverlay(changed: (open: Overlay | null) => void): void {
  store.subscribe(({ open }) => changed(open));
}

/** Opens an overlay, unless it is already open. */
export function openOverlay(overlay: Overlay): void {
  if (store.getState().open?.kind !== overlay.kind) store.setState({ open: overlay });
}

export function closeOverlay(): void {
  store.setState({ open: null });
}
