/**
 * Makes characters visible that could hide or reorder parts of the text that a person approves. Pure; shared by the approval view and the
 * terminal.
 */
import { markLookAlikes } from './look-alikes.ts';

/**
 * Control characters except line feed and tab, bidirectional controls, zero-width and other invisible characters, and look-alikes of the
 * space. These look-alikes are included because Lisp reads a no-break space as part of a name.
 */
const HIDDEN = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** The third and any later mark on a letter. Scripts need at most two; more would cover the surrounding text. */
const HEAPED = /(?<=\p{M}{2})\p{M}/gu;
/** A mark without a base letter, which would be drawn over the preceding character. */
const LOOSE = /(?<=^|[\s\p{P}\p{S}])\p{M}+/gu;

const PLAIN = /^[\n\t\x20-\x7E]*$/;

/** Returns the text with hidden characters, excess marks and look-alike letters replaced by their code points, e.g. `⟨U+202E⟩`. */
export function visible(text: string): string {
  if (PLAIN.test(text)) return text;
  const marked = text.replace(HIDDEN, codePoint).replace(HEAPED, codePoint).replace(LOOSE, codePoints);
  return markLookAlikes(marked, codePoint);
}

/** Characters that are invisible or reorder text, except those that join emoji. */
const UNDRAWN =
  /(?![\n\t\r])(?!(?<=\p{Extended_Pictographic}\uFE0F?)[\uFE0F\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Returns the text in a form for display where no decision depends on it. Invisible and reordering characters are replaced by their code
 * points; look-alike letters are unchanged.
 */
export function drawable(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNDRAWN, codePoint);
}

/** Control characters that the code editor itself makes visible, such as the control characters of bidirectional text. */
const DRAWN_BY_EDITOR = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

/**
 * Returns the invisible characters of a line that the editor does not mark, each with the text to display instead. Offsets are in UTF-16
 * code units.
 */
export function undrawnIn(line: string): { start: number; end: number; text: string }[] {
  if (PLAIN.test(line)) return [];
  return [...line.matchAll(UNDRAWN)]
    .filter(([character]) => !DRAWN_BY_EDITOR.test(character))
    .map(({ 0: character, index }) => ({ start: index, end: index + character.length, text: codePoint(character) }));
}

/** Returns the text on one line, with hidden characters visible, so that no piece of it can be mistaken for another line of the display. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll(/[\n\t]/g, codePoint);
}

/**
 * Returns a name that a client or program chose for itself in a form that is safe to display: on one line of ASCII, with all other
 * characters as code points, and cut if it is long.
 */
export function visibleName(text: string): string {
  const name = text.replaceAll(/[^\x20-\x7E]/gu, codePoint);
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
}

const LONGEST_NAME = 60;

function codePoint(character: string): string {
  return `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

function codePoints(characters: string): string {
  return [...characters].map(codePoint).join('');
}
