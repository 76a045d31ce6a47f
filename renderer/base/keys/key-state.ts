/** The keys that were begun, and what the last ones came to, for the status bar; and who hears keys instead of the keymap. */
import type { KeyPress } from '../../ui/menus/key-strokes.ts';
import { makeStore } from '../store.ts';

interface KeyState {
  /** The strokes of a sequence that is begun; empty for none. */
  readonly begun: readonly string[];
  /** A line about the last keys, until the next ones; null for nothing to say. */
  readonly said: string | null;
  /** True while a key is waited for that is to be looked up, not to act. */
  readonly asked: boolean;
}

export const [keyState, useKeyState] = makeStore<KeyState>({ begun: [], said: null, asked: false });

/** Shows a line about keys until the next one is pressed. */
export function sayOfKeys(said: string | null): void {
  if (keyState.getState().said !== said) keyState.setState({ said });
}

/** Gets the keys that were pressed; null once Escape has ended it. */
type Heard = (pressed: readonly KeyPress[] | null) => void;

let listener: Heard | null = null;

/** Has the next keys told instead of having them act, a sequence stroke after stroke. The result ends it. */
export function askForKeys(heard: Heard): () => void {
  listener = heard;
  keyState.setState({ asked: true, begun: [], said: null });
  return () => {
    if (listener !== heard) return;
    listener = null;
    keyState.setState({ asked: false, begun: [] });
  };
}

/** Tells the keys to who asked for them; null for the end. */
export function tellAsked(pressed: readonly KeyPress[] | null): void {
  listener?.(pressed);
}
