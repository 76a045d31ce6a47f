/** A history of places in texts, like a browser's history of pages. Pure. */

export interface Place {
  /** The id of the text's buffer. */
  readonly buffer: string;
  /** The path of the text's file; null if it has none. */
  readonly file: string | null;
  readonly line: number;
  readonly column: number;
  /** True for a place that was left by a jump: going back returns to it, even if the jump was short. */
  readonly left?: boolean;
}

export interface PlaceHistory {
  readonly places: readonly Place[];
  /** The index of the current place. */
  readonly at: number;
}

export const emptyHistory: PlaceHistory = { places: [], at: -1 };

/** The number of lines by which the caret may move without counting as a jump. */
const NEAR = 10;
const KEPT = 100;

/**
 * Returns the history after the caret reached a place. If the place is near the current one, it replaces the current one; otherwise it is
 * added after it.
 */
export function addPlace(history: PlaceHistory, place: Place): PlaceHistory {
  const { places, at } = history;
  const here = places[at];
  const same = here && isOneText(here, place) && here.line === place.line && here.column === place.column;
  if (here?.left && same) return history;
  if (here && !here.left && isNear(here, place)) return { places: places.with(at, place), at };
  const before = places.slice(0, at + 1);
  const next = [...before, place].slice(-KEPT);
  return { places: next, at: next.length - 1 };
}

/** Returns the history after a step back or forward, and the place to go to; null at the end of the history. */
export function step(history: PlaceHistory, direction: -1 | 1): { history: PlaceHistory; place: Place | null } {
  const place = history.places[history.at + direction] ?? null;
  return place ? { history: { ...history, at: history.at + direction }, place } : { history, place: null };
}

/**
 * Returns the history without unreachable places, such as places in a closed text without a file. If two near places become neighbours,
 * only the later one stays, because the person saw it last.
 */
export function withoutPlaces(history: PlaceHistory, isGone: (place: Place) => boolean): PlaceHistory {
  const places: Place[] = [];
  let at = -1;
  for (const [index, place] of history.places.entries()) {
    if (!isGone(place)) {
      const before = places.at(-1);
      const met = before !== undefined && isGone(history.places[index - 1]!) && isNear(before, place);
      if (met) places.splice(-1, 1, before.left ? { ...place, left: true } : place);
      else places.push(place);
    }
    if (index === history.at) at = places.length - 1;
  }
  return { places, at };
}

function isNear(one: Place, other: Place): boolean {
  return isOneText(one, other) && Math.abs(one.line - other.line) < NEAR;
}

/** True if two places are in the same text. A file that was closed and reopened is the same text in another buffer. */
function isOneText(one: Place, other: Place): boolean {
  return one.buffer === other.buffer || (one.file !== null && one.file === other.file);
}
