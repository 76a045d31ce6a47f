/** A command that needs one more key, such as the character to kill to: the next key is its argument instead of acting. */
import { type KeyPress, strokeOf } from '../../ui/menus/key-strokes.ts';
import { sayOfKeys } from './key-state.ts';

let waiting: ((character: string) => void) | null = null;

/** Has the next key given to `take` as the character that it stands for. Escape and Ctrl+G end the wait, and so does a click. */
export function awaitCharacter(prompt: string, take: (character: string) => void): void {
  waiting = take;
  sayOfKeys(prompt);
}

export const isAwaited = (): boolean => waiting !== null;

export function endAwaiting(): void {
  waiting = null;
}

/** Gives a key to the command that waits for one. */
export function tellAwaited(press: KeyPress): void {
  const take = waiting;
  waiting = null;
  sayOfKeys(null);
  if (press.key === 'Escape' || strokeOf(press) === 'Ctrl+G') return;
  const character = characterOf(press);
  if (character === null) sayOfKeys('This key has no character.');
  else take?.(character);
}

/** The keys that have a name instead of a character. */
const NAMED: Readonly<Record<string, string>> = { Enter: '\n', Tab: '\t', Backspace: '\u007f', Delete: '\u007f' };

/** The character of a key: with Ctrl the control character, as a terminal has it; null for none. @internal Exported for its test. */
export function characterOf({ key, ctrlKey }: Pick<KeyPress, 'key' | 'ctrlKey'>): string | null {
  if (NAMED[key] !== undefined) return NAMED[key];
  if ([...key].length !== 1) return null;
  if (!ctrlKey) return key;
  const code = key.toUpperCase().charCodeAt(0);
  if (code === 74 || code === 77) return '\n'; // C-j and C-m are line ends, which texts here have in one form
  return code >= 64 && code < 96 ? String.fromCharCode(code - 64) : null;
}
