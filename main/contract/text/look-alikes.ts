/**
 * Characters that look like other characters in a path or a command. A letter is reported only if it is next to a Latin letter or if the
 * whole word could be Latin, so that a Russian word is not reported. Based on Unicode's list of confusables (UTS #39), limited to those
 * that look alike in common fonts. Pure.
 */

/** Cyrillic, Greek, Armenian and other letters that look like Latin ones. */
const LETTERS = new Set(
  [
    'аесорхуѕіјһԁԛԝӏѵԍᴦӕӯАВЕКМНОРСТХУЅІЈԌԚԜҮҺӀѴЗ',
    'αοινρυκτγϲϳχηωΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ',
    'օսոցհաքզյԼՕՍՏ',
    'ꓐꓑꓒꓓꓔꓖꓗꓘꓙꓚꓜꓝꓞꓟꓠꓡꓢꓣꓤꓥꓦꓧꓨꓩꓪꓫꓬꓭꓮꓯꓰꓱꓲꓳꓴꓵ',
    'ᎪᎫᎬᎳᎵᎷᎻᎽᏀᏂᏃᏏᏒᏔᏙᏞᏟᏢᏦᏴ',
    'ɑɡɩʏʟʀɪᴀᴄᴅᴇᴊᴋᴍᴏᴘᴛᴜᴠᴡᴢꜱ',
  ].flatMap((letters) => [...letters]),
);

/** Characters that look like slashes, dots, colons, hyphens, quotes and similar signs, and letters in other widths and styles. */
const SIGNS =
  /[\u2215\u2044\u29F8\u2571\u27CB\u29F5\u2216\u29F9\u2572\u27CD\u1735\u2F03\u2024\uA4F8\uA60E\u0701\u0702\u2236\uA789\u02D0\uFE30\uFE52\uFE55\u037E\u2010-\u2012\u2212\u02D7\u2796\u2CBA\uFE58\uFE63\u2043\u02B9\u02C8\u02CA\u02CB\u2032\u2035\uA78C\u1FEF\u2223\u01C0\u2758\u223C\u02DC\u204E\u2217\u22C6\u02C6\u2768-\u2775\u2329\u232A\u02C2\u02C3\uFE64\uFE65\uFF02\uFF07\uFF0D-\uFF19\uFF21-\uFF3A\uFF3C\uFF41-\uFF5A\u{1D400}-\u{1D7FF}\u210A-\u2113\u2115\u2118-\u211D\u2124\u2128-\u2134\u2139\u2160-\u217F\u24B6-\u24E9]/gu;

const WORD = /[\p{L}\p{M}]+/gu;
const LATIN = /\p{Script=Latin}/u;
/** A path, a name, or a word of a command. */
const TOKEN = /[^\s"()]+/gu;

/** Replaces every look-alike in `text` with the result of `mark`. */
export function markLookAlikes(text: string, mark: (character: string) => string): string {
  return text.replace(SIGNS, mark).replace(TOKEN, (token) => markToken(token, mark));
}

function markToken(token: string, mark: (character: string) => string): string {
  const beside = /[A-Za-z]/.test(token.replaceAll(/⟨U\+[0-9A-F]+⟩/g, ''));
  return token.replace(WORD, (word) => {
    const letters = [...word];
    const suspect = letters.some((each) => LETTERS.has(each));
    if (!suspect) return word;
    const mixed = letters.some((each) => LATIN.test(each) && !LETTERS.has(each));
    const whole = beside && letters.every((each) => LETTERS.has(each));
    return mixed || whole ? letters.map((each) => (LETTERS.has(each) ? mark(each) : each)).join('') : word;
  });
}
