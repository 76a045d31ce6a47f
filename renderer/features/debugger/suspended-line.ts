/** Which line of an open text an agent's code is suspended in. Pure. */
import type { Session } from '#contract/image/session.ts';

/** The most lines that a text may have moved since it was compiled. */
const NEAR = 200;

/**
 * The line, from 1, of the text at `path`; null where the code is of another file, or where the text does not have the
 * running form any more: a wrong line would be worse than none.
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
