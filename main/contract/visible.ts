/** Makes characters visible that could hide or turn around what a person approves. Pure; the approval view and the terminal share it. */

/**
 * Control characters but line feed and tab, bidirectional controls, zero-width characters, all others that draw nothing, and
 * what looks like a space and is none: Lisp reads a no-break space as part of a name.
 */
const HIDDEN = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** The text with each of them as its code point, e.g. `⟨U+202E⟩`. */
export function visible(text: string): string {
  return text.replace(
    HIDDEN,
    (character) => `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}
