/** The beginning of a text that is too long to be drawn in full. */

/**
 * Returns at most `most` characters from the start of a text. Ends at a line end if there is one near the limit, and never splits a
 * character.
 */
export function textHead(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const eol = cut.lastIndexOf('\n');
  if (eol > most / 2) return cut.slice(0, eol);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
