/** A history of places in texts, as browsers have one of pages. Pure. */

export interface Place {
  /** Id of the text's buffer. */
  readonly buffer: string;
  /** Path of the text's file; null where it has none. */
  readonly file: string | null;
  readonly line: number;
  readonly column: number;
  /** True for a place that was jumped from: it is gone back to from however near. */
  readonly left?: boolean;
}

export interface PlaceHistory {
  readonly places: readonly Place[];
  /** Index of the place where the caret is. */
  readonly at: number;
}

export const emptyHistory: PlaceHistory = { places: [], at: -1 };

/** Lines that the caret may move without that being a jump. */
const NEAR = 10;
const KEPT = 100;

/** The history when the caret has come to a place: a near one replaces the present one, another comes after it. */
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

/** The history after a step back or forward, and the place to go to; null at its end. */
export function step(history: PlaceHistory, direction: -1 | 1): { history: PlaceHistory; place: Place | null } {
  const place = history.places[history.at + direction] ?? null;
  return place ? { history: { ...history, at: history.at + direction }, place } : { history, place: null };
}

/**
 * The history without the places that cannot be gone to any more, such as those of a text that was closed and has no file. Places that
 * were apart only by those between them are one: the later one, which the person saw last.
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

/** True for places of one text; a file that was closed and opened again is another buffer of the same text. */
function isOneText(one: Place, other: Place): boolean {
  return one.buffer === other.buffer || (one.file !== null && one.file === other.file);
}
