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
  const same = here?.buffer === place.buffer && here.line === place.line && here.column === place.column;
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

function isNear(one: Place, other: Place): boolean {
  return one.buffer === other.buffer && Math.abs(one.line - other.line) < NEAR;
}
