/**
 * The word that stands at a prompt and is typed with a yes. An image has no controlling terminal, so the kernel lets it type
 * at ours (TIOCSTI) only with the rights of root; where we have these, so has the code that waits for the answer. What is
 * written to a terminal cannot be read at its other end, so that code cannot know the word.
 */
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Answers without the word of their prompt after which a request is denied: nobody can try many. */
export const MOST_WRONG = 3;

const SYS_ADMIN = 21;
const CONSONANTS = 'bdfghjklmnprstvz';
const VOWELS = 'aeiou';

/** True when code of this user could type at the terminal: with CAP_SYS_ADMIN on Linux, elsewhere as root. */
export function canBeTyped(): boolean {
  if (process.platform === 'win32') return false;
  if (process.geteuid?.() === 0) return true;
  try {
    const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
    return ((BigInt(`0x${effective}`) >> BigInt(SYS_ADMIN)) & 1n) === 1n;
  } catch {
    return false; // no Linux, and not root
  }
}

/** `kotam`: easily typed, one of 102,400, and none of the letters that answer a card. */
export function newWord(): string {
  return [CONSONANTS, VOWELS, CONSONANTS, VOWELS, CONSONANTS]
    .map((letters) => letters[randomInt(letters.length)]!)
    .join('');
}
