/** The rows of the list of parts: all parts by their index, or the parts that match the filter. */
import { useMemo } from 'react';
import type { InspectedPage } from '#contract/image/inspection.ts';
import { foundWords } from '../finding.ts';
import { useViewer } from '../inspector.ts';
import { countRows, placeOf, rowOf, type RowPlace } from '../part-rows.ts';
import type { Finding, Step } from '../viewer-state.ts';
import type { Viewer } from '../viewer.ts';

/** The maximum number of rows that are drawn. */
export const MOST_ROWS = 1_000_000;

export interface Rows {
  readonly count: number;
  readonly placeAt: (row: number) => RowPlace;
  /** Returns the row of a part; -1 if it is not shown. */
  readonly rowOf: (path: readonly number[]) => number;
  /** A text about the number of rows, shown with the filter. */
  readonly words: string;
  /** The parts found by the filter; null without a filter. */
  readonly finding: Finding | null;
}

export function useRows(viewer: Viewer, step: Step, head: InspectedPage): Rows {
  const finding = useViewer(viewer, (state) => state.finding);
  return useMemo((): Rows => {
    if (finding) {
      const { indexes } = finding;
      return {
        count: indexes.length,
        placeAt: (row) => ({ kind: 'part', path: [indexes[row]!] }),
        rowOf: ([index = -1]) => indexes.indexOf(index),
        words: foundWords(finding),
        finding,
      };
    }
    return {
      count: countRows(Math.min(head.total, MOST_ROWS), step.opened),
      placeAt: (row) => placeOf(row, step.opened),
      rowOf: (path) => (path.length === 0 ? -1 : rowOf(path, step.opened)),
      words: `${head.total.toLocaleString('en')}${head.inexact ? '+' : ''}`,
      finding: null,
    };
  }, [finding, head, step]);
}
