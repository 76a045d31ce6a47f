/** The rows of the list of parts: all of them by their index, or those that the filter leaves. */
import { useDeferredValue, useEffect, useMemo } from 'react';
import type { InspectedPage } from '#contract/inspection.ts';
import { useViewer } from '../../features/inspector/inspector.ts';
import { countRows, placeOf, rowOf, type RowPlace } from '../../features/inspector/rows.ts';
import type { Step } from '../../features/inspector/viewer-state.ts';
import { CHUNK, type Viewer } from '../../features/inspector/viewer.ts';

/** Parts among which the filter looks, and rows that are drawn. */
const FILTERED = 2_000;
export const MOST_ROWS = 1_000_000;

export interface Rows {
  readonly count: number;
  readonly placeAt: (row: number) => RowPlace;
  /** The row of a part; -1 when it is not shown. */
  readonly rowOf: (path: readonly number[]) => number;
  /** The number of rows in words, as the filter shows it. */
  readonly words: string;
  readonly filtered: boolean;
}

export function useRows(viewer: Viewer, step: Step, head: InspectedPage): Rows {
  const wanted = useDeferredValue(
    useViewer(viewer, (state) => state.filter)
      .trim()
      .toLowerCase(),
  );
  const most = Math.min(head.total, FILTERED);
  const loaded = Math.ceil(most / CHUNK);
  useEffect(() => {
    if (wanted !== '') for (let chunk = 0; chunk < loaded; chunk += 1) viewer.want(chunk);
  }, [viewer, wanted, loaded, step.chunks]);
  const matches = useMemo(() => {
    if (wanted === '') return null;
    const found: number[] = [];
    for (let index = 0; index < most; index += 1) {
      const part = step.chunks.get(Math.floor(index / CHUNK))?.[index % CHUNK];
      if (part && `${part.label}\n${part.text}`.toLowerCase().includes(wanted)) found.push(index);
    }
    return found;
  }, [wanted, most, step.chunks]);
  return useMemo((): Rows => {
    const all = Math.min(head.total, MOST_ROWS);
    if (matches)
      return {
        count: matches.length,
        placeAt: (row) => ({ kind: 'part', path: [matches[row]!] }),
        rowOf: ([index = -1]) => matches.indexOf(index),
        words: `${matches.length} of ${head.total > FILTERED ? `the first ${FILTERED.toLocaleString('en')}` : head.total}`,
        filtered: true,
      };
    return {
      count: countRows(all, step.opened),
      placeAt: (row) => placeOf(row, step.opened),
      rowOf: (path) => (path.length === 0 ? -1 : rowOf(path, step.opened)),
      words: `${head.total.toLocaleString('en')}${head.more && head.total >= MOST_ROWS ? '+' : ''}`,
      filtered: false,
    };
  }, [matches, head, step]);
}
