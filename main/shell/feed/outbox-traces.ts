/**
 * The channel of traced calls that are waiting for a page. The limit is applied so that if the start of a call is sent, its end is sent
 * too.
 */
import type { TracedCalls } from '#contract/image/observation/tracing.ts';
import type { Channel, PageEvent } from './outbox.ts';

export interface TracesOptions {
  /**
   * The maximum number of waiting lines, which are starts and ends of calls. If the start of a call was stored, its end is stored even
   * beyond this limit.
   */
  readonly most?: number;
  /** The approximate number of lines in one batch. */
  readonly atOnce?: number;
}

interface Waiting {
  told: TracedCalls;
  calls: TracedCalls['calls'][number][];
}

/** The maximum number of evaluations for which the dropped calls are counted. */
const MOST_EVALUATIONS = 50;

/**
 * Traced calls by evaluation, in order. If too many are waiting, new calls are dropped. They are counted together with the calls that the
 * image itself dropped.
 */
export class Traces implements Channel {
  readonly #wake: () => void;
  readonly #most: number;
  readonly #atOnce: number;
  readonly #waiting = new Map<string, Waiting>();
  /** Dropped calls by evaluation: their number, and the calls that have not ended yet. */
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
