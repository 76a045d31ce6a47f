/** The rows of the activity as they grow, for the panel that shows them. */
import { useMemo, useState } from 'react';
import type { ActivityLog } from '../../mirror.ts';
import { ActivityRows } from './model.ts';
import { type ActivityNarrowing, isFiltered, NarrowedRows } from './narrow.ts';
import type { ActivityRow } from './row-model.ts';

export interface ShownRows {
  /** All that are known. */
  all: readonly ActivityRow[];
  /** Those that are left under the filter, in order. */
  rows: readonly ActivityRow[];
  byId: (id: string) => ActivityRow | undefined;
}

export function useRows({ events }: ActivityLog, narrowing: ActivityNarrowing): ShownRows {
  const [kept] = useState(() => new Kept());
  return useMemo(() => kept.update(events, narrowing), [kept, events, narrowing]);
}

class Kept {
  #rows = new ActivityRows();
  #narrowed = new NarrowedRows();

  update(events: ActivityLog['events'], narrowing: ActivityNarrowing): ShownRows {
    const { first, last } = this.#rows.span;
    const known = events[0] ? Math.max(0, events.findLastIndex(({ seq }) => seq <= last) + 1) : 0;
    // Older ones were added before, or so many have gone that holding their rows makes no sense.
    if ((events[0]?.seq ?? 0) < first || known === 0 || this.#rows.rows.length > events.length * 1.5) {
      this.#rows = new ActivityRows(events);
      this.#narrowed = new NarrowedRows();
    } else if (known < events.length) {
      this.#rows.add(events.slice(known));
    }
    const changedFrom = this.#rows.takeChange();
    const all = this.#rows.rows;
    const byId = (id: string): ActivityRow | undefined => all.findLast((row) => row.id === id);
    if (!isFiltered(narrowing) && narrowing.folded.size === 0) {
      this.#narrowed = new NarrowedRows();
      return { all, rows: all.slice(), byId };
    }
    return { all, rows: this.#narrowed.update(all, changedFrom, narrowing), byId };
  }
}
