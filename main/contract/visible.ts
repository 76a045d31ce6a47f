/** Makes characters visible that could hide or turn around what a person approves. Pure; the approval view and the terminal share it. */

/** Control characters but line feed and tab, bidirectional controls, zero-width characters, and all others that draw nothing. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The text with each of them as its code point, e.g. `⟨U+202E⟩`. */
export function visible(text: string): string {
  return text.replace(
    HIDDEN,
    (character) => `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}
