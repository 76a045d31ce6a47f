import { describe, expect, it } from 'vitest';
import { visible } from './visible.ts';

describe('K2 case 26 what could hide or turn around what is approved', () => {
  it.each<[string, string, string]>([
    ['a bidirectional override', 'src/\u202Epsil.tset', 'src/⟨U+202E⟩psil.tset'],
    ['bidirectional isolates', 'a\u2066b\u2069', 'a⟨U+2066⟩b⟨U+2069⟩'],
    ['marks of direction', '\u200E\u200F\u061C', '⟨U+200E⟩⟨U+200F⟩⟨U+061C⟩'],
    ['a zero-width space and joiners', 'a\u200Bb\u200Cc\u200D\u2060', 'a⟨U+200B⟩b⟨U+200C⟩c⟨U+200D⟩⟨U+2060⟩'],
    ['a byte-order mark', '\uFEFFa', '⟨U+FEFF⟩a'],
    ['a soft hyphen', 'de\u00ADlete', 'de⟨U+00AD⟩lete'],
    ['colours and cursor of a terminal', '\u001B[31mred\u001B[2K', '⟨U+001B⟩[31mred⟨U+001B⟩[2K'],
    ['the one-character form of those', '\u009B31m', '⟨U+009B⟩31m'],
    ['backspaces and returns', 'rm\b\b\rls\u0007\u007F', 'rm⟨U+0008⟩⟨U+0008⟩⟨U+000D⟩ls⟨U+0007⟩⟨U+007F⟩'],
    ['a null character', 'a\0b', 'a⟨U+0000⟩b'],
    ['tags, which spell words that nobody sees', 'ok\u{E0072}\u{E006D}', 'ok⟨U+E0072⟩⟨U+E006D⟩'],
    ['variation selectors', 'a\uFE0F\u{E0101}', 'a⟨U+FE0F⟩⟨U+E0101⟩'],
    ['fillers', '\u3164\u115F\uFFA0\u2800', '⟨U+3164⟩⟨U+115F⟩⟨U+FFA0⟩⟨U+2800⟩'],
    ['separators of lines', 'a\u2028b\u2029c\u0085d', 'a⟨U+2028⟩b⟨U+2029⟩c⟨U+0085⟩d'],
    ['spaces that are part of a name', '(delete\u00A0file\u3000x\u2003)', '(delete⟨U+00A0⟩file⟨U+3000⟩x⟨U+2003⟩)'],
  ])('shows %s', (_what, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('leaves text of any language, its lines and its columns as they are', () => {
    const text = '(defun größe (日本 λ)\n\t"Ж ★ 😀 — “quoted” <b>&amp;</b>")';
    expect(visible(text)).toBe(text);
  });
});
