/** The activity rows, for the panel that shows them. New events extend the rows. */
import { useMemo, useState } from 'react';
import type { ActivityLog } from '../../base/activity-log.ts';
import { ActivityRows } from './rows.ts';
import { type ActivityNarrowing, NarrowedRows } from './filter.ts';
import type { ActivityRow } from './row-model.ts';

export interface ShownRows {
  /** All known rows. */
  all: readonly ActivityRow[];
  /** The rows that pass the filter, in order. */
  rows: readonly ActivityRow[];
  byId: (id: string) => ActivityRow | undefined;
}

export function useRows({ events, filled }: ActivityLog, narrowing: ActivityNarrowing): ShownRows {
  const [kept] = useState(() => new Kept());
  return useMemo(() => kept.update(events, filled, narrowing), [kept, events, filled, narrowing]);
}

class Kept {
  #rows = new ActivityRows();
  #narrowed = new NarrowedRows();
  #filled = 0;

  update(events: ActivityLog['events'], filled: number, narrowing: ActivityNarrowing): ShownRows {
    const { first, last } = this.#rows.span;
    const known = events[0] ? Math.max(0, events.findLastIndex(({ seq }) => seq <= last) + 1) : 0;
    // Build the rows again if older events were added, or if the log has dropped many of their events.
    const again = (events[0]?.seq ?? 0) < first || filled !== this.#filled;
    this.#filled = filled;
    if (again || known === 0 || this.#rows.rows.length > events.length * 1.5) {
      this.#rows = new ActivityRows(events);
      this.#narrowed = new NarrowedRows();
    } else if (known < events.length) {
      this.#rows.add(events.slice(known));
    }
    const changedFrom = this.#rows.takeChange();
    const all = this.#rows.rows;
    const byId = (id: string): ActivityRow | undefined => all.findLast((row) => row.id === id);
    return { all, rows: this.#narrowed.update(all, changedFrom, narrowing), byId };
  }
}
