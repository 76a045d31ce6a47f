/** Which dialog or palette is open over the window. One at a time. */
import { createStore, useStore } from 'zustand';

export type Overlay =
  | { kind: 'palette'; text: string }
  | { kind: 'connect' | 'settings' | 'help' }
  | { kind: 'make-checkpoint' | 'choose-checkpoint' };

const store = createStore<{ open: Overlay | null }>(() => ({ open: null }));

export function useOverlay(): Overlay | null {
  return useStore(store, (state) => state.open);
}

/** Opens it; what is open already stays as it is. */
export function openOverlay(overlay: Overlay): void {
  if (store.getState().open?.kind !== overlay.kind) store.setState({ open: overlay });
}

export function closeOverlay(): void {
  store.setState({ open: null });
}
