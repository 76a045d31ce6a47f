/** The only place where events are published. The window, the audit and the metrics receive them from here. */
import type { ActivityEvent, ActivityFact } from '#contract/decisions/activity.ts';
import { Emitter } from '#core/base/emitter.ts';

/** The number of events kept in memory for a window that opens late. */
const KEPT = 5_000;
/** The maximum delay in milliseconds between a client's answer and the record of its call. */
const LATEST_MS = 20;

interface ActivityStreamEvents {
  added: ActivityEvent;
  /**
   * The events that were added together, in order, so that a listener can write them all at once. Emitted after `added` was emitted for
   * each.
   */
  batch: readonly ActivityEvent[];
}

export class ActivityStream {
  readonly events = new Emitter<ActivityStreamEvents>();
  #kept: ActivityEvent[] = [];
  #seq = 0;
  /** The delayed functions, each with the time at which its facts happened. */
  #later: { readonly at: number; readonly tell: () => void }[] = [];
  #timer: NodeJS.Timeout | null = null;
  /** While `settle` runs, the time of the facts that are being published, and the events that have been added; otherwise null. */
  #settling: { at: number; readonly added: ActivityEvent[] } | null = null;

  publish(fact: ActivityFact): ActivityEvent {
    if (!this.#settling) this.settle();
    const at = this.#settling?.at ?? Date.now();
    const event: ActivityEvent = { session: null, parent: null, ...fact, at, seq: ++this.#seq };
    this.#kept.push(event);
    if (this.#kept.length > KEPT * 1.2) this.#kept = this.#kept.slice(-KEPT);
    this.events.emit('added', event);
    if (this.#settling) this.#settling.added.push(event);
    else this.events.emit('batch', [event]);
    return event;
  }

  /**
   * Calls `tell` within 20 ms, and before any other event is published or read. The events that `tell` publishes carry the time at which
   * `later` was called. Used to record calls, so that clients do not have to wait for the record.
   */
  later(tell: () => void): void {
    this.#later.push({ at: Date.now(), tell });
    this.#timer ??= setTimeout(() => this.settle(), LATEST_MS);
  }

  /** Runs the functions that `later` delayed, in order. */
  settle(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#later.length === 0 || this.#settling) return;
    const late = this.#later;
    this.#later = [];
    const added: ActivityEvent[] = [];
    try {
      for (const { at, tell } of late) {
        this.#settling = { at, added };
        tell();
      }
    } finally {
      this.#settling = null;
      if (added.length > 0) this.events.emit('batch', added);
    }
  }

  /** Returns the newest `limit` events, oldest first. */
  newest(limit: number): ActivityEvent[] {
    this.settle();
    return this.#kept.slice(-limit);
  }

  /** Returns the last `limit` events before `seq`, oldest first. */
  before(seq: number, limit: number): ActivityEvent[] {
    this.settle();
    const end = this.#kept.findIndex((event) => event.seq >= seq);
    return this.#kept.slice(0, end < 0 ? this.#kept.length : end).slice(-limit);
  }
}
