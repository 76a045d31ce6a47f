/**
 * Long content is folded in its middle, with a count: its beginning and its end are always on the card, and what lies
 * between has to be opened before approving. Length must not hide anything. Pure.
 */
import { counted } from '#contract/text/text.ts';

const LONGEST = 80;
const HEAD = 40;
const TAIL = 20;

export interface Fold {
  /** Rows before the fold. */
  readonly head: number;
  /** The index of the first row after the fold. */
  readonly tail: number;
}

/** The fold of so many rows; null when all of them are shown. */
export function foldOf(rows: number): Fold | null {
  return rows > LONGEST ? { head: HEAD, tail: rows - TAIL } : null;
}

interface CountedRow {
  readonly kind: string;
  readonly continued?: boolean;
  readonly length?: number;
}

/** The words on a fold: "312 lines folded", or characters when the fold lies within one long line. */
export function foldWords(hidden: readonly CountedRow[]): string {
  const lines = hidden.filter(({ kind, continued }) => kind === 'line' && !continued).length;
  if (lines > 0) return `${counted(lines, 'line')} folded`;
  const characters = hidden.reduce((sum, { length }) => sum + (length ?? 0), 0);
  return `${counted(characters, 'character')} of a long line folded`;
}
