/**
 * The word that a prompt shows and that must be typed with a yes. It proves that a person answered. An image has no controlling terminal,
 * so the kernel lets it type at ours (TIOCSTI) only with root rights; if we have these, so has the code that waits for the answer. Text
 * written to a terminal cannot be read back by that code, so it cannot know the word.
 */
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The number of answers without the required word after which a request is denied, so that code cannot guess the word. */
export const MOST_WRONG = 3;

const SYS_ADMIN = 21;
const CONSONANTS = 'bdfghjklmnprstvz';
const VOWELS = 'aeiou';

/** Returns true if code of this user could type at the terminal: on Linux with CAP_SYS_ADMIN, elsewhere as root. */
export function canBeTyped(): boolean {
  if (process.platform === 'win32') return false;
  if (process.geteuid?.() === 0) return true;
  try {
    const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
    return ((BigInt(`0x${effective}`) >> BigInt(SYS_ADMIN)) & 1n) === 1n;
  } catch {
    return false; // not Linux, and not root
  }
}

/** Returns a word such as `kotam`: easy to type, one of 102,400, and without the letters that answer a card. */
export function newWord(): string {
  return [CONSONANTS, VOWELS, CONSONANTS, VOWELS, CONSONANTS]
    .map((letters) => letters[randomInt(letters.length)]!)
    .join('');
}
