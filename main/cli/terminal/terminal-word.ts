/**
 * The word that a prompt shows and that must be typed with a yes. It proves that a person answered. An image has no controlling terminal,
 * so the kernel lets its code type at our terminal (TIOCSTI) only with root rights, which the code has if this process has them. However,
 * that code cannot read what a terminal displays, so it cannot know the word.
 */
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The number of approvals without the required word after which a request is denied, so that code cannot guess the word. */
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

/**
 * Returns a random word such as `kotam`. There are 102,400 such words. They are easy to type and do not contain the letters that answer a
 * card.
 */
export function newWord(): string {
  return [CONSONANTS, VOWELS, CONSONANTS, VOWELS, CONSONANTS]
    .map((letters) => letters[randomInt(letters.length)]!)
    .join('');
}
