/** The order of problems in the list and for the keys that go through them: the project first, errors first. Pure. */
import type { Problem, Severity } from './problems.ts';

const RANK: Record<Severity, number> = { error: 0, warning: 1, note: 2 };

/**
 * Returns the problems in the order of the list. The files of the project come first; within these and the other files, the files with
 * errors come first, then the files with warnings. A file's errors come before its warnings and notes, each in the order of the text.
 */
export function inOrder(all: readonly Problem[]): Problem[] {
  const worst = new Map<string | null, number>();
  for (const { file, severity } of all) worst.set(file, Math.min(RANK[severity], worst.get(file) ?? Infinity));
  return all.toSorted(
    (one, other) =>
      Number(one.elsewhere) - Number(other.elsewhere) ||
      worst.get(one.file)! - worst.get(other.file)! ||
      byName(one.file, other.file) ||
      RANK[one.severity] - RANK[other.severity] ||
      (one.line ?? 0) - (other.line ?? 0) ||
      (one.column ?? 0) - (other.column ?? 0),
  );
}

function byName(one: string | null, other: string | null): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  return one < other ? -1 : 1;
}

/** A position in a text. Lines and columns are counted from 1. */
export interface Place {
  readonly file: string | null;
  readonly line: number;
  readonly column: number;
}

/**
 * Returns the next or previous problem from a position; null if there are none. Only the most severe problems count, those of the project
 * before those of other files. While a file has errors, its errors follow each other in a circle; other problems lead to the next file.
 * `listed` is in the order of the list.
 */
export function nextProblem(listed: readonly Problem[], from: Place | null, direction: 1 | -1): Problem | null {
  const placed = listed.filter(({ file }) => file !== null);
  const urgency = ({ severity, elsewhere }: Problem): number => 2 * RANK[severity] + Number(elsewhere);
  const errorsHere = placed.filter(({ file, severity }) => file === from?.file && severity === 'error');
  const most = Math.min(...placed.map(urgency));
  const among = errorsHere.length > 0 ? errorsHere : placed.filter((each) => urgency(each) === most);
  const first = among.at(direction > 0 ? 0 : -1) ?? null;
  if (from === null) return first;
  const places = among.map((each, at) => ({
    at,
    order: each.file === from.file ? direction * order(each, from) : null,
  }));
  const here = places.filter(({ order: each }) => each !== null);
  if (here.length === 0) return first;
  const following = here.filter(({ order: each }) => each! > 0).at(direction > 0 ? 0 : -1);
  const edge = here.at(direction > 0 ? -1 : 0)!;
  return following ? among[following.at]! : among.at((edge.at + direction) % among.length)!;
}

/** Returns a positive number if a problem comes after a position in the same text, a negative number if it comes before. */
function order({ line, column }: Problem, from: Place): number {
  return (line ?? 1) - from.line || (column ?? 1) - from.column;
}
