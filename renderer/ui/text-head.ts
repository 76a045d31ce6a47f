/** The beginning of a text that is too long to be drawn whole. */

/** Returns at most so many characters of a text, up to the end of a line where one is near, and never half a character. */
export function textHead(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const eol = cut.lastIndexOf('\n');
  if (eol > most / 2) return cut.slice(0, eol);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
