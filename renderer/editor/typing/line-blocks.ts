/** The blocks of whole lines that the selections of an editor mean. */
import type { monaco } from '../monaco/monaco.ts';

/** Lines that follow each other, counted from 1. */
export interface Block {
  first: number;
  last: number;
}

/** The lines of all selections, with those that touch each other put together. A selection that ends before a line does not mean it. */
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
