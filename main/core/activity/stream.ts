/** The one place where everything that happens is told, once. The window, the audit and the metrics read from here. */
import type { ActivityEvent, ActivityFact } from '#contract/activity.ts';
import { Emitter } from '#core/emitter.ts';

/** Events kept in memory for a window that opens late. */
const KEPT = 5_000;

export class ActivityStream {
  readonly events = new Emitter<{ added: ActivityEvent }>();
  #kept: ActivityEvent[] = [];
  #seq = 0;

  publish(fact: ActivityFact): ActivityEvent {
    const event: ActivityEvent = { session: null, parent: null, ...fact, at: Date.now(), seq: ++this.#seq };
    this.#kept.push(event);
    if (this.#kept.length > KEPT * 1.2) this.#kept = this.#kept.slice(-KEPT);
    this.events.emit('added', event);
    return event;
  }

  /** The newest events, oldest first. */
  newest(limit: number): ActivityEvent[] {
    return this.#kept.slice(-limit);
  }

  /** Events just before `seq`, oldest first. */
  before(seq: number, limit: number): ActivityEvent[] {
    const end = this.#kept.findIndex((event) => event.seq >= seq);
    return this.#kept.slice(0, end < 0 ? this.#kept.length : end).slice(-limit);
  }
}
