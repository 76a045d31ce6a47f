/**
 * The state of key input, for the status bar: the unfinished sequence, the message about the last keys, and a listener that gets keys
 * instead of the keymap.
 */
import type { KeyPress } from '../../ui/menus/key-strokes.ts';
import { makeStore } from '../store.ts';

interface KeyState {
  /** The strokes of an unfinished sequence; empty if there is none. */
  readonly begun: readonly string[];
  /** A message about the last keys, shown until the next key; null if there is none. */
  readonly said: string | null;
  /** True while the next key is looked up instead of run. */
  readonly asked: boolean;
}

export const [keyState, useKeyState] = makeStore<KeyState>({ begun: [], said: null, asked: false });

/** Shows a message about keys until the next key is pressed. */
export function sayOfKeys(said: string | null): void {
  if (keyState.getState().said !== said) keyState.setState({ said });
}

/** Called with the pressed keys; null after Escape. */
type Heard = (pressed: readonly KeyPress[] | null) => void;

let listener: Heard | null = null;

/** Reports the next keys to `heard` instead of running them. A sequence is reported stroke by stroke. Returns a function that ends this. */
export function askForKeys(heard: Heard): () => void {
  listener = heard;
  keyState.setState({ asked: true, begun: [], said: null });
  return () => {
    if (listener !== heard) return;
    listener = null;
    keyState.setState({ asked: false, begun: [] });
  };
}

/** Reports keys to the listener of `askForKeys`. Null means that reporting has ended. */
export function tellAsked(pressed: readonly KeyPress[] | null): void {
  listener?.(pressed);
}
