/** Makes characters visible that could hide or turn around what a person approves. Pure; the approval view and the terminal share it. */
import { markLookAlikes } from './look-alikes.ts';

/**
 * Control characters but line feed and tab, bidirectional controls, zero-width characters, all others that draw nothing, and
 * what looks like a space and is none: Lisp reads a no-break space as part of a name.
 */
const HIDDEN = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Scripts need two marks on a letter; more are drawn over what stands around. */
const HEAPED = /(?<=\p{M}{2})\p{M}/gu;
/** A mark that has no letter is drawn over what stands before it. */
const LOOSE = /(?<=^|[\s\p{P}\p{S}])\p{M}+/gu;

const PLAIN = /^[\n\t\x20-\x7E]*$/;

/** The text with each of them as its code point, e.g. `⟨U+202E⟩`; so are heaped marks and letters that pass for others. */
export function visible(text: string): string {
  if (PLAIN.test(text)) return text;
  const marked = text.replace(HIDDEN, codePoint).replace(HEAPED, codePoint).replace(LOOSE, codePoints);
  return markLookAlikes(marked, codePoint);
}

/** Characters that draw nothing, or turn text around, but for those that emoji are joined of. */
const UNDRAWN =
  /(?![\n\t\r])(?!(?<=\p{Extended_Pictographic}\uFE0F?)[\uFE0F\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Returns the text as a page draws it wherever nothing is decided: what hides in a text or turns it around stands as its code point, and no
 * letter is doubted for its look.
 */
export function drawable(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNDRAWN, codePoint);
}

/** Controls that an editor of code draws by itself, as those of bidirectional text. */
const DRAWN_BY_EDITOR = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

/** The characters of a line that draw nothing and that the editor leaves so, with the text that is drawn for each; offsets in code units. */
export function undrawnIn(line: string): { start: number; end: number; text: string }[] {
  if (PLAIN.test(line)) return [];
  return [...line.matchAll(UNDRAWN)]
    .filter(([character]) => !DRAWN_BY_EDITOR.test(character))
    .map(({ 0: character, index }) => ({ start: index, end: index + character.length, text: codePoint(character) }));
}

/** Returns the visible text in one line: no line of the text can be taken for something else that is said beside it. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll(/[\n\t]/g, codePoint);
}

/** A name that whoever bears it chose: one line of ASCII, all else as code points, and cut where it is long. */
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
