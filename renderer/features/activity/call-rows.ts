/** The rows of individual calls, for views that show one call. New events extend the rows. */
import { useSyncExternalStore } from 'react';
import type { ActivityLog } from '../../base/activity-log.ts';
import { mirror } from '../../base/mirror.ts';
import type { ActivityRow } from './row-model.ts';
import { ActivityRows } from './rows.ts';

/** Returns the row of a call, followed by the rows within it; empty if the activity does not contain the call. */
export function useCallRows(call: string): readonly ActivityRow[] {
  return useSyncExternalStore(mirror.subscribe, () => kept.of(call, mirror.getState().activity));
}

/** Rows that are built once from the events, and extended when events are added. @internal Exported for its test. */
export class CallRows {
  #rows = new ActivityRows();
  #log: ActivityLog | null = null;
  #answers = new Map<string, readonly ActivityRow[]>();

  /** Returns the rows of a call; the same array until one of its rows changes. */
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
    // The rows are rebuilt when the log has dropped many of their events.
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
