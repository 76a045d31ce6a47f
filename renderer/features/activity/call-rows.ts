/** The rows of single calls, for a place that shows a call where it is spoken of; they grow with the activity. */
import { useSyncExternalStore } from 'react';
import type { ActivityLog } from '../../base/activity-log.ts';
import { mirror } from '../../base/mirror.ts';
import type { ActivityRow } from './row-model.ts';
import { ActivityRows } from './rows.ts';

/** The row of a call first, then those within it; none where the activity does not hold the call. */
export function useCallRows(call: string): readonly ActivityRow[] {
  return useSyncExternalStore(mirror.subscribe, () => kept.of(call, mirror.getState().activity));
}

/** Rows that are made of the events once, and grow with them, as long as something asks for them. @internal Exported for its test. */
export class CallRows {
  #rows = new ActivityRows();
  #log: ActivityLog | null = null;
  #answers = new Map<string, readonly ActivityRow[]>();

  /** Rows of a call; the same list is given again until one of its rows has changed. */
  of(call: string, log: ActivityLog): readonly ActivityRow[] {
    if (log !== this.#log) this.#take(log);
    const found = this.#rows.of(call);
    const before = this.#answers.get(call);
    if (before?.length === found.length && found.every((row, index) => row === before[index])) return before;
    this.#answers.set(call, found);
    return found;
  }

  #take(log: ActivityLog): void {
    const { events, filled } = log;
    const { first, last } = this.#rows.span;
    const isOlder = (events[0]?.seq ?? Number.POSITIVE_INFINITY) < first;
    const isFilled = this.#log !== null && filled !== this.#log.filled;
    // Many rows whose events are gone are let go.
    const isLong = this.#rows.rows.length > events.length * 1.5;
    this.#log = log;
    if (isOlder || isFilled || isLong) {
      this.#rows = new ActivityRows(events);
      this.#answers.clear();
      return;
    }
    let fresh = events.length;
    while (fresh > 0 && events[fresh - 1]!.seq > last) fresh -= 1;
    this.#rows.add(events.slice(fresh));
  }
}

const kept = new CallRows();
