/** The rows that match a filter. When rows change, those before the first changed one are not filtered again. */
import { type ActivityRow, type Outcome, type RowKind, searchText } from './row-model.ts';

export interface ActivityNarrowing {
  text: string;
  /** Ids of hidden actors. */
  hidden: ReadonlySet<string>;
  /** The rows that the person has folded (true) or opened (false). */
  folds: ReadonlyMap<string, boolean>;
  kind: RowKind | null;
  outcome: Outcome | null;
}

export const EVERYTHING: ActivityNarrowing = {
  text: '',
  hidden: new Set(),
  folds: new Map(),
  kind: null,
  outcome: null,
};

/**
 * True for a folded row. Calls with one evaluation are folded until the person opens them, or looks for rows that may be inside them.
 */
export function isFolded({ id, brief }: ActivityRow, { text, folds, kind, outcome }: ActivityNarrowing): boolean {
  return folds.get(id) ?? (brief !== null && text.trim() === '' && kind === null && outcome === null);
}

/** Returns the rows that match a filter, including those inside folded rows. */
export function matchingRows(rows: readonly ActivityRow[], narrowing: ActivityNarrowing): readonly ActivityRow[] {
  return new NarrowedRows(() => false).update(rows, 0, narrowing);
}

export class NarrowedRows {
  readonly #isFolded: typeof isFolded;
  #narrowing: ActivityNarrowing | null = null;
  #kept: ActivityRow[] = [];
  /** The index of each visible row among all rows. */
  #from: number[] = [];

  constructor(folded: typeof isFolded = isFolded) {
    this.#isFolded = folded;
  }

  /** Filters the rows. `changedFrom`: the lowest index at which `rows` differ from those of the previous call. */
  update(rows: readonly ActivityRow[], changedFrom: number, narrowing: ActivityNarrowing): readonly ActivityRow[] {
    const again = this.#narrowing === narrowing;
    this.#narrowing = narrowing;
    let start = again ? Math.min(changedFrom, rows.length) : 0;
    // A row at depth 0 does not depend on the rows before it.
    while (start > 0 && (start === rows.length || rows[start]!.depth > 0)) start -= 1;
    let left = this.#from.length;
    while (left > 0 && this.#from[left - 1]! >= start) left -= 1;
    this.#kept.length = left;
    this.#from.length = left;
    this.#narrow(rows, start, narrowing);
    return this.#kept.slice();
  }

  /** Filters rows from `start`. A matching row keeps its parents visible; a folded row hides its children. */
  #narrow(rows: readonly ActivityRow[], start: number, narrowing: ActivityNarrowing): void {
    const { text, hidden, kind, outcome } = narrowing;
    const wanted = text.trim().toLowerCase();
    /** Ancestors of the next row, outermost first, and whether each is visible. */
    const parents: { index: number; kept: boolean; matches: boolean }[] = [];
    let foldedAt = Number.POSITIVE_INFINITY;
    for (let index = start; index < rows.length; index += 1) {
      const row = rows[index]!;
      parents.length = Math.min(parents.length, row.depth);
      if (row.depth <= foldedAt) foldedAt = Number.POSITIVE_INFINITY;
      const said = wanted === '' || parents.at(-1)?.matches === true || searchText(row).includes(wanted);
      const matches =
        said &&
        !hidden.has(row.actor.id) &&
        (kind === null || row.kind === kind) &&
        (outcome === null || row.outcome === outcome);
      const shown = matches && foldedAt === Number.POSITIVE_INFINITY;
      if (shown) {
        for (const parent of parents) {
          if (parent.kept) continue;
          parent.kept = true;
          this.#keep(rows, parent.index);
        }
        this.#keep(rows, index);
      }
      parents.push({ index, kept: shown, matches: said && wanted !== '' });
      if (foldedAt === Number.POSITIVE_INFINITY && this.#isFolded(row, narrowing)) foldedAt = row.depth;
    }
  }

  #keep(rows: readonly ActivityRow[], index: number): void {
    this.#kept.push(rows[index]!);
    this.#from.push(index);
  }
}
