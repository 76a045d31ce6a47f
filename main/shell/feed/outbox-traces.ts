/** The channel of traced calls that wait for a page: bounded, and told so that each call which begins there also ends there. */
import type { TracedCalls } from '#contract/image/observation/tracing.ts';
import type { Channel, PageEvent } from './outbox.ts';

export interface TracesOptions {
  /** Lines, beginnings and ends of calls, that wait at most. The ends of calls that began are told beyond that. */
  readonly most?: number;
  /** Lines that go with one batch, about. */
  readonly atOnce?: number;
}

interface Waiting {
  told: TracedCalls;
  calls: TracedCalls['calls'][number][];
}

/** Evaluations of which it is known that calls were left out. */
const MOST_EVALUATIONS = 50;

/** Traced calls by evaluation, in their order. Where too many wait further calls are left out, and counted with those that the image left out. */
export class Traces implements Channel {
  readonly #wake: () => void;
  readonly #most: number;
  readonly #atOnce: number;
  readonly #waiting = new Map<string, Waiting>();
  /** Calls that were left out, by evaluation: how many, and those of them that have not ended. */
  readonly #left = new Map<string, { count: number; readonly open: Set<number> }>();
  #lines = 0;

  constructor(wake: () => void, { most = 250_000, atOnce = 8_000 }: TracesOptions = {}) {
    this.#wake = wake;
    this.#most = most;
    this.#atOnce = atOnce;
  }

  get waits(): boolean {
    return this.#waiting.size > 0;
  }

  add(told: TracedCalls): void {
    const { evaluation } = told;
    const waiting = this.#waiting.get(evaluation) ?? { told, calls: [] };
    waiting.told = told;
    this.#waiting.set(evaluation, waiting);
    for (const line of told.calls) {
      if (this.#isLeftOut(evaluation, line)) continue;
      waiting.calls.push(line);
      this.#lines += 1;
    }
    this.#wake();
  }

  take(): PageEvent[] {
    const events: PageEvent[] = [];
    let room = this.#atOnce;
    for (const [evaluation, { told, calls }] of this.#waiting) {
      if (room <= 0) break;
      const sent = calls.splice(0, room);
      room -= sent.length;
      this.#lines -= sent.length;
      const dropped = told.dropped + (this.#left.get(evaluation)?.count ?? 0);
      events.push(['calls-traced', { ...told, calls: JSON.stringify(sent), dropped }]);
      if (calls.length === 0) this.#waiting.delete(evaluation);
    }
    return events;
  }

  clear(): void {
    this.#waiting.clear();
    this.#left.clear();
    this.#lines = 0;
  }

  #isLeftOut(evaluation: string, { call, kind }: TracedCalls['calls'][number]): boolean {
    const left = this.#left.get(evaluation);
    if (kind !== 'enter') return left?.open.delete(call) ?? false;
    if (this.#lines < this.#most) return false;
    const counted = left ?? { count: 0, open: new Set<number>() };
    counted.count += 1;
    counted.open.add(call);
    this.#left.delete(evaluation);
    this.#left.set(evaluation, counted);
    const [oldest] = this.#left.keys();
    if (this.#left.size > MOST_EVALUATIONS && oldest !== undefined) this.#left.delete(oldest);
    return true;
  }
}
