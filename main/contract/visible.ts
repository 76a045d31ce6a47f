/** Makes characters visible that could hide or turn around what a person approves. Pure; the approval view and the terminal share it. */

/** Control characters but line feed and tab, bidirectional controls, zero-width characters, and the other invisible ones. */
const HIDDEN = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF9-\uFFFB]|[\u{E0000}-\u{E0FFF}]/gu;

/** The text with each of them as its code point, e.g. `⟨U+202E⟩`. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`);
}
