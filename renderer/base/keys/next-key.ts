/**
 * Commands that need one more key, such as the character up to which text is killed. The next key becomes the argument and does not run a
 * command.
 */
import { type KeyPress, strokeOf } from '../../ui/menus/key-strokes.ts';
import { sayOfKeys } from './key-state.ts';

let waiting: ((character: string) => void) | null = null;

/** Calls `take` with the character of the next key. Escape, Ctrl+G or a click cancels. */
export function awaitCharacter(prompt: string, take: (character: string) => void): void {
  waiting = take;
  sayOfKeys(prompt);
}

export const isAwaited = (): boolean => waiting !== null;

export function endAwaiting(): void {
  waiting = null;
}

/** Passes a key to the command that is waiting for one. */
export function tellAwaited(press: KeyPress): void {
  const take = waiting;
  waiting = null;
  sayOfKeys(null);
  if (press.key === 'Escape' || strokeOf(press) === 'Ctrl+G') return;
  const character = characterOf(press);
  if (character === null) sayOfKeys('This key has no character.');
  else take?.(character);
}

/** Named keys that represent a character. */
const NAMED: Readonly<Record<string, string>> = { Enter: '\n', Tab: '\t', Backspace: '\u007f', Delete: '\u007f' };

/**
 * Returns the character of a key; null if the key has none. With Ctrl, returns the control character as in a terminal. @internal Exported
 * for its test.
 */
export function characterOf({ key, ctrlKey }: Pick<KeyPress, 'key' | 'ctrlKey'>): string | null {
  if (NAMED[key] !== undefined) return NAMED[key];
  if ([...key].length !== 1) return null;
  if (!ctrlKey) return key;
  const code = key.toUpperCase().charCodeAt(0);
  if (code === 74 || code === 77) return '\n'; // C-j and C-m represent line ends, and a line end is always a line feed here
  return code >= 64 && code < 96 ? String.fromCharCode(code - 64) : null;
}
