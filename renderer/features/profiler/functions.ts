/** The functions of a profile as the rows of a table. Pure. */
import type { ProfileResult } from '#contract/image/observation/profiling.ts';
import type { TreeRow } from '../../ui/panels/tree.tsx';
import { nodeWords, share } from './flame.ts';

/** The column by which functions are sorted. */
export type Order = 'name' | 'self' | 'total';

export interface FunctionRow extends TreeRow {
  /** A description of the row, shown as its tooltip. */
  readonly hint: string;
  readonly name: string;
  readonly self: number;
  readonly total: number;
}

interface Shown {
  readonly filter: string;
  readonly order: Order;
}

/** Returns the functions whose names contain the filter, sorted by name, or by samples in descending order. */
export function functionRows({ functions, samples }: ProfileResult, { filter, order }: Shown): FunctionRow[] {
  const wanted = filter.trim().toLowerCase();
  return functions
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .toSorted(
      (one, other) => (order === 'name' ? 0 : other[order] - one[order]) || one.name.localeCompare(other.name, 'en'),
    )
    .map(({ name, self, total }, index, { length }) => ({
      id: name,
      level: 1,
      label: [name, figures(self, samples), figures(total, samples)].join(', '),
      hint: nodeWords({ name, self, total }, samples),
      expanded: null,
      position: index + 1,
      siblings: length,
      name,
      self,
      total,
    }));
}

/** Returns a number of samples and its share of all samples, for a cell of the table. */
export function figures(count: number, samples: number): string {
  return `${share(count, samples)} · ${count.toLocaleString('en')}`;
}
