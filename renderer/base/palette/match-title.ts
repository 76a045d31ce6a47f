/** How titles are ranked against the text typed in the palette. */

/** The range of characters in a title that match the typed text. */
export interface TitleMatch {
  start: number;
  end: number;
}

/**
 * Returns the rank of a title for a typed text; null if it does not match. The rank depends on whether the title contains the text at its
 * start, at the start of a word, elsewhere, or only as scattered letters.
 */
export function matchTitle(title: string, wanted: string): { score: number; match: TitleMatch | null } | null {
  if (wanted === '') return { score: 0, match: null };
  const folded = title.toLowerCase();
  const sought = wanted.toLowerCase();
  const at = folded.indexOf(sought);
  if (at === 0) return { score: 0, match: { start: 0, end: sought.length } };
  for (let start = at; start > 0; start = folded.indexOf(sought, start + 1)) {
    if (!/[\p{L}\p{N}]/u.test(folded[start - 1]!)) return { score: 1, match: { start, end: start + sought.length } };
  }
  if (at > 0) return { score: 2, match: { start: at, end: at + sought.length } };
  let next = 0;
  for (const char of sought) {
    next = folded.indexOf(char, next) + 1;
    if (next === 0) return null;
  }
  return sought.length > 2 ? { score: 3, match: null } : null;
}
