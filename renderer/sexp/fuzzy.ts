/** Matching of names by some of their characters, for completion and filters. Pure. */

/**
 * Returns a score for how well `typed` matches a name, both in lower case; null if it does not match. The characters must occur in order.
 * Characters at the start of the name or of its parts (`m-v-b` of `multiple-value-bind`) and adjacent characters score higher.
 */
export function fuzzyScore(typed: string, name: string): number | null {
  if (typed === '') return 0;
  let score = name.startsWith(typed) ? 100 : 0;
  let from = 0;
  let last = -2;
  for (const char of typed) {
    const at = placeOf(char, name, from, last);
    if (at < 0) return null;
    if (at === last + 1) score += 4;
    else if (isStart(name, at)) score += 6;
    else score -= 1;
    last = at;
    from = at + 1;
  }
  return score - (name.length - typed.length) / 100;
}

/** Returns the next place of a character: directly after the last match, otherwise at the beginning of a part, otherwise anywhere. */
function placeOf(char: string, name: string, from: number, last: number): number {
  if (last >= 0 && name[last + 1] === char) return last + 1;
  for (let at = from; at < name.length; at += 1) if (name[at] === char && isStart(name, at)) return at;
  return name.indexOf(char, from);
}

function isStart(name: string, at: number): boolean {
  return at === 0 || /[-*+/.:%<>]/.test(name[at - 1]!);
}
