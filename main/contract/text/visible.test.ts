import { describe, expect, it } from 'vitest';
import { drawable, undrawnIn, visible, visibleName } from './visible.ts';

describe('visible text', () => {
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
    ['a Cyrillic letter in a Latin word', 'p\u0430ypal', 'p⟨U+0430⟩ypal'],
    ['a word that could be Latin beside Latin ones', '/p/\u0430\u0441.txt', '/p/⟨U+0430⟩⟨U+0441⟩.txt'],
    ['a Greek letter in a Latin name', 'c\u03BFde', 'c⟨U+03BF⟩de'],
    ['slashes that are none', 'a\u2215b\u29F8c\u2044d\uFF0Fe', 'a⟨U+2215⟩b⟨U+29F8⟩c⟨U+2044⟩d⟨U+FF0F⟩e'],
    ['dots and hyphens that are none', 'a\u2024lisp \u2010rf \u2212f', 'a⟨U+2024⟩lisp ⟨U+2010⟩rf ⟨U+2212⟩f'],
    ['letters of another width or style', '\uFF52\uFF4D \u{1D5EB}', '⟨U+FF52⟩⟨U+FF4D⟩ ⟨U+1D5EB⟩'],
    ['marks that are heaped on a letter', 'a\u0301\u0302\u0303\u0304', 'a\u0301\u0302⟨U+0303⟩⟨U+0304⟩'],
    ['a mark without a letter', '/\u0338p', '/⟨U+0338⟩p'],
  ])('Visible text shows %s [K2, case 26]', (_what, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('Visible text leaves text of any language, its lines and its columns as they are [K2, case 26]', () => {
    const text = '(defun größe (日本 λ)\n\t"Ж ★ 😀 — “quoted” <b>&amp;</b>")';
    expect(visible(text)).toBe(text);
  });

  it.each([
    'Это сахар, а не соль',
    'Ελληνικά και α',
    'Tiếng Việt',
    'Tie\u0302\u0301ng',
    'הָאָרֶץ',
    'ไม่ใช่',
    'файл.txt',
    'Δx λ',
    'Հայերեն',
  ])('Visible text leaves %s as it is written [K2, case 26]', (text) => {
    expect(visible(text)).toBe(text);
  });

  it('Visible text is the same when it is made visible twice [K2, case 26]', () => {
    const text = 'p\u0430ypal\u202E a\u0301\u0302\u0303\u0304 \u2215';
    expect(visible(visible(text))).toBe(visible(text));
  });

  it('A drawable text shows what hides in it or turns it around, and leaves letters, spaces and emoji as they are [K2]', () => {
    expect(drawable('src/\u202Epsil\u2066.\u200B\u200E\uFEFF\u00AD\u0007\u2028')).toBe(
      'src/⟨U+202E⟩psil⟨U+2066⟩.⟨U+200B⟩⟨U+200E⟩⟨U+FEFF⟩⟨U+00AD⟩⟨U+0007⟩⟨U+2028⟩',
    );
    const text = '(größe\t日本 λ)\r\n− p\u0430ypal a\u00A0b 👩\u200D💻 ❤\uFE0F ❤\uFE0F\u200D🔥';
    expect(drawable(text)).toBe(text);
    expect(drawable('a\u200Db\uFE0F')).toBe('a⟨U+200D⟩b⟨U+FE0F⟩');
  });

  it('A name that its bearer chose is left ASCII alone, and no more of it than a line holds [K2, case 26]', () => {
    expect(visibleName('cl\u0430ude\u200B\u202E\n')).toBe('cl⟨U+0430⟩ude⟨U+200B⟩⟨U+202E⟩⟨U+000A⟩');
    expect(visibleName('x'.repeat(200))).toBe(`${'x'.repeat(60)}…`);
  });

  it('Characters that neither draw anything nor are drawn by an editor are found at their places [K2]', () => {
    expect(undrawnIn('(list "a\u200Bb" 𝒳\u{E0041} \u202E\u0007 👩\u200D💻)')).toEqual([
      { start: 8, end: 9, text: '⟨U+200B⟩' },
      { start: 14, end: 16, text: '⟨U+E0041⟩' },
    ]);
    expect(undrawnIn('(list 1)')).toEqual([]);
  });
});
