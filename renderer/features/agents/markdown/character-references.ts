/**
 * Character references, such as `&lt;` and `&#39;`, as CommonMark reads them: with a semicolon at the end, by a name of HTML's list or by a
 * number. Pure, and no HTML is parsed for it.
 */
import { characterEntities } from 'character-entities';

/** A reference at the place of `lastIndex`. */
export const REFERENCE = /&(?:#[xX][\da-fA-F]{1,6}|#\d{1,7}|[A-Za-z][A-Za-z\d]{1,31});/y;
const ALL = new RegExp(REFERENCE.source, 'g');

/** Returns the characters that a reference means; itself where it has no such name. */
export function referred(reference: string): string {
  const name = reference.slice(1, -1);
  if (!name.startsWith('#')) return Object.hasOwn(characterEntities, name) ? characterEntities[name]! : reference;
  const digits = name.slice(1);
  return character(/^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10));
}

/** Returns the text with all of its references decoded. */
export function withoutReferences(text: string): string {
  return text.includes('&') ? text.replaceAll(ALL, referred) : text;
}

/** The character of a code point. A number that is none's, NUL and half a pair of UTF-16 give the replacement character. */
function character(code: number): string {
  const isNone = code === 0 || code > 0x10_ff_ff || (code >= 0xd8_00 && code <= 0xdf_ff);
  return String.fromCodePoint(isNone ? 0xff_fd : code);
}
