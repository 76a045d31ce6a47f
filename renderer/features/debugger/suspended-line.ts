/** Finds the line in an open text at which an agent's code is suspended. Pure. */
import type { Session } from '#contract/image/session.ts';

/** The maximum number of lines by which the code may have moved since it was compiled. */
const NEAR = 200;

/**
 * Returns the line in the text at `path`, counted from 1. Returns null if the code is from another file, or if the running form is missing
 * or ambiguous in the text, because a wrong line would be worse than none.
 */
export function suspendedLine(
  place: Session['effects'][number]['place'],
  path: string,
  lines: readonly string[],
): number | null {
  if (place === null || place.file !== path) return null;
  const has = (line: number): boolean => lines[line - 1]?.includes(place.text) ?? false;
  if (has(place.line)) return place.line;
  for (let away = 1; away <= NEAR; away += 1) {
    const [before, after] = [has(place.line - away), has(place.line + away)];
    if (before !== after) return before ? place.line - away : place.line + away;
    if (before) return null;
  }
  return null;
}
