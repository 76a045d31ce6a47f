/** Locates counted forms in a text, for the editor's marks. Pure. */
import type { CountedForm, FileCoverage } from '#contract/image/observation/coverage.ts';

/** `half`: the branch was taken only one way. */
export type CoverageState = 'ran' | 'missed' | 'half';

export interface CoveredPlace {
  readonly start: number;
  readonly end: number;
  readonly state: CoverageState;
  /** The state as text. */
  readonly words: string;
}

interface Counted {
  /** The text that was compiled. */
  readonly text: string;
  readonly forms: readonly CountedForm[];
}

/**
 * Returns the ranges to mark in a text, outer ones first. These are the outermost forms that ran, the outermost forms within them that did
 * not, and branches taken only one way. Code that was edited since it was compiled has no marks.
 */
export function coveredPlaces({ text: compiled, forms }: Counted, text: string): CoveredPlace[] {
  const moved = edited(compiled, text);
  const places: CoveredPlace[] = [];
  /** The forms that enclose the current one. */
  const around: { readonly end: number; readonly executed: boolean }[] = [];
  for (const form of forms) {
    const place = moved(form);
    if (!place) continue;
    while (around.length > 0 && around.at(-1)!.end <= place.start) around.pop();
    const outer = around.at(-1);
    around.push({ end: place.end, executed: form.executed });
    if (outer?.executed !== form.executed) places.push({ ...place, ...stateOf(form.executed) });
    const way = takenWay(form);
    if (way !== null) places.push({ ...place, state: 'half', words: way });
  }
  return places;
}

/** True if a text differs from the compiled text, to which the marks belong. */
export function isStale({ text: compiled }: Pick<Counted, 'text'>, text: string): boolean {
  return compiled !== text;
}

function stateOf(executed: boolean): Pick<CoveredPlace, 'state' | 'words'> {
  return executed ? { state: 'ran', words: 'Executed.' } : { state: 'missed', words: 'Not executed.' };
}

function takenWay({ executed, thenTaken, elseTaken }: CountedForm): string | null {
  if (!executed || thenTaken === null || elseTaken === null || thenTaken === elseTaken) return null;
  return thenTaken
    ? 'Only one branch was taken: this was always true, never false.'
    : 'Only one branch was taken: this was always false, never true.';
}

/** Returns a function that maps a range in the old text to the new text, or to null if the edit touched the range. */
function edited(
  before: string,
  now: string,
): (place: { start: number; end: number }) => { start: number; end: number } | null {
  const most = Math.min(before.length, now.length);
  let head = 0;
  while (head < most && before.at(head) === now.at(head)) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const by = now.length - before.length;
  return ({ start, end }) => {
    if (end <= head) return { start, end };
    return start >= before.length - tail ? { start: start + by, end: end + by } : null;
  };
}

/** Formats a share as a whole percentage, or as `–` if the whole is 0. A share of less than the whole is never rounded up to 100. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return '–';
  const exact = (100 * part) / whole;
  return `${exact > 99 && part < whole ? 99 : Math.round(exact)} %`;
}

/** Returns the totals over several files. */
export function totals(files: readonly FileCoverage[]): Omit<FileCoverage, 'file'> {
  const sum = { expressions: 0, executed: 0, branches: 0, taken: 0 };
  for (const each of files) {
    sum.expressions += each.expressions;
    sum.executed += each.executed;
    sum.branches += each.branches;
    sum.taken += each.taken;
  }
  return sum;
}

/** Returns the nearest range after or before an offset whose code did not run completely. The search wraps around. */
export function nextGap(places: readonly CoveredPlace[], offset: number, direction: 1 | -1): CoveredPlace | null {
  const gaps = places.filter(({ state }) => state !== 'ran').toSorted((one, other) => one.start - other.start);
  if (direction > 0) return gaps.find(({ start }) => start > offset) ?? gaps[0] ?? null;
  return gaps.findLast(({ start }) => start < offset) ?? gaps.at(-1) ?? null;
}
