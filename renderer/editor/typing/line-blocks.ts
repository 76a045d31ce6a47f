/** The blocks of whole lines that an editor's selections cover. */
import type { monaco } from '../monaco/monaco.ts';

/** Consecutive lines, counted from 1. */
export interface Block {
  first: number;
  last: number;
}

/**
 * Returns the lines of all selections, with adjacent blocks merged. A selection that ends at the start of a line does not include that
 * line.
 */
export function blocksOf(selections: readonly monaco.Selection[]): Block[] {
  const blocks: Block[] = [];
  for (const { startLineNumber, endLineNumber, endColumn } of selections.toSorted(
    (one, other) => one.startLineNumber - other.startLineNumber,
  )) {
    const last = endColumn === 1 && endLineNumber > startLineNumber ? endLineNumber - 1 : endLineNumber;
    const before = blocks.at(-1);
    if (before && startLineNumber <= before.last + 1) before.last = Math.max(before.last, last);
    else blocks.push({ first: startLineNumber, last });
  }
  return blocks;
}
