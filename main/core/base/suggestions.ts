/** Suggests names that may have been meant by an unknown name. */

const MOST = 5;

/** Returns a sentence with the most similar names in `known`, after a blank; empty if none is similar. */
export function suggestionText(name: string, known: Iterable<string>): string {
  const near = nearest(name, known);
  return near.length > 0 ? ` Did you mean ${near.join(', ')}?` : '';
}

/** Returns the names in `known` that differ least from `name`, most similar first. Case does not matter. */
export function nearest(name: string, known: Iterable<string>): string[] {
  const wanted = name.toLowerCase();
  if (wanted.length < 3) return []; // every name would be similar to such a short name
  const allowed = Math.floor(wanted.length / 3);
  const rated = [...new Set(known)].flatMap((each) => {
    const other = each.toLowerCase();
    const distance = edits(wanted, other);
    if (distance <= allowed) return [{ each, distance }];
    // If one name contains most of the other, the known name ranks after names with only a likely typing error.
    const isPart = other.includes(wanted) || (other.length * 2 > wanted.length && wanted.includes(other));
    return isPart ? [{ each, distance: allowed + Math.abs(other.length - wanted.length) }] : [];
  });
  return rated
    .toSorted((one, other) => one.distance - other.distance || (one.each < other.each ? -1 : 1))
    .slice(0, MOST)
    .map(({ each }) => each);
}

/** Returns the number of characters to insert, delete, replace, or swap with the next one, to get from `one` to `other`. */
function edits(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replaced, swapped ? before[j - 2]! + 1 : Infinity));
    }
    before = row;
    row = next;
  }
  return row[other.length]!;
}
