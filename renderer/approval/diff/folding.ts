/**
 * Folds the middle of long content and shows how much is folded. The start and the end are always visible, and the fold has to be opened
 * before approving, so that length cannot hide anything. Pure.
 */
import { counted } from '#contract/text/text.ts';

const LONGEST = 80;
const HEAD = 40;
const TAIL = 20;

export interface Fold {
  /** The number of rows before the fold. */
  readonly head: number;
  /** The index of the first row after the fold. */
  readonly tail: number;
}

/** Returns the fold for this number of rows; null if all of them are shown. */
export function foldOf(rows: number): Fold | null {
  return rows > LONGEST ? { head: HEAD, tail: rows - TAIL } : null;
}

interface CountedRow {
  readonly kind: string;
  readonly continued?: boolean;
  readonly length?: number;
}

/** Returns the label of a fold: "312 lines folded", or the number of characters if the fold is inside one long line. */
export function foldWords(hidden: readonly CountedRow[]): string {
  const lines = hidden.filter(({ kind, continued }) => kind === 'line' && !continued).length;
  if (lines > 0) return `${counted(lines, 'line')} folded`;
  const characters = hidden.reduce((sum, { length }) => sum + (length ?? 0), 0);
  return `${counted(characters, 'character')} of a long line folded`;
}
