/**
 * The outbox of a page. It sends one batch at a time, and sends the next when the page has taken the previous one. Only a page's first
 * batches are sent without waiting. Waiting events are limited: only the latest of each state is sent, and each kind of frequent event has
 * its own limit (see the channels). A slow page therefore gets larger batches less often. The person's calls and their answers are sent
 * between two batches, and a slow page does not increase the memory use of either process. Times are milliseconds of a monotonic clock.
 */

export type PageEvent = readonly [name: string, payload: unknown];

/** Events of one kind that are waiting for a page. */
export interface Channel {
  /** True if an event is waiting. */
  readonly waits: boolean;
  /** Takes the events of the next batch. Events that do not fit continue to wait. */
  take(): PageEvent[];
  /** Discards the waiting events. Called when the page restarts, because it then requests the data that it needs. */
  clear(): void;
}

export interface OutboxOptions {
  /** Sends a batch. If `batch` is null, the page does not have to report that it has taken the batch. */
  readonly send: (batch: number | null, events: readonly PageEvent[]) => void;
  /** The channels, in the order of their events within a batch. */
  readonly channels: readonly Channel[];
  readonly now?: () => number;
  readonly later?: (act: () => void, ms: number) => () => void;
}

/** The duration of one frame on the screen, in milliseconds. Events within this time are sent together. */
const FRAME_MS = 16;
/**
 * After each batch, the outbox waits as long as the page needed for that batch, but at most this many milliseconds, so that the person can
 * use the page.
 */
const LONGEST_REST_MS = 1_000;
/**
 * The number of batches that are sent to a new page without waiting for it. The page takes them only after it has drawn itself for the
 * first time, so they do not show how fast the page is. The person is waiting for the image at that time, and the report that the image is
 * ready must not be delayed.
 */
const FIRST_BATCHES = 4;

export class Outbox {
  readonly #options: Required<OutboxOptions>;
  /** True while the page listens. */
  #open = false;
  #count = 0;
  /** The number of the last batch that is sent without waiting for the page. */
  #lastUnawaited = 0;
  #underWay: { readonly batch: number; readonly since: number } | null = null;
  #restUntil = 0;
  #stopTimer: (() => void) | null = null;

  constructor(options: OutboxOptions) {
    this.#options = { now: () => performance.now(), later: afterTime, ...options };
  }

  /** Starts sending to a page. Events that were waiting for the previous page are discarded. */
  begin(): void {
    this.end();
    this.#open = true;
    this.#lastUnawaited = this.#count + FIRST_BATCHES;
  }

  /** Stops sending. Called when the page no longer exists. */
  end(): void {
    this.#open = false;
    this.#underWay = null;
    this.#restUntil = 0;
    this.#stop();
    for (const channel of this.#options.channels) channel.clear();
  }

  /**
   * Sends an event at once, before all waiting events. Used for the person's latest action and for the last event before the end. Frequent
   * events must use the channels.
   */
  now(name: string, payload: unknown): void {
    this.#options.send(null, [[name, payload]]);
  }

  /** Records that an event is waiting in a channel. */
  wake(): void {
    if (!this.#open) return this.#options.channels.forEach((channel) => channel.clear());
    if (this.#underWay || this.#stopTimer) return;
    const wait = Math.max(FRAME_MS, this.#restUntil - this.#options.now());
    this.#stopTimer = this.#options.later(() => {
      this.#stopTimer = null;
      this.#send();
    }, wait);
  }

  /** Records that the page has taken this batch. */
  taken(batch: number): void {
    if (this.#underWay?.batch !== batch) return; // this is a batch of the previous page
    const now = this.#options.now();
    this.#restUntil = now + Math.min(now - this.#underWay.since, LONGEST_REST_MS);
    this.#underWay = null;
    if (this.#options.channels.some(({ waits }) => waits)) this.wake();
  }

  #send(): void {
    const events = this.#options.channels.flatMap((channel) => channel.take());
    if (events.length === 0) return;
    const batch = (this.#count += 1);
    if (batch > this.#lastUnawaited) this.#underWay = { batch, since: this.#options.now() };
    this.#options.send(batch, events);
  }

  #stop(): void {
    this.#stopTimer?.();
    this.#stopTimer = null;
  }
}

function afterTime(act: () => void, ms: number): () => void {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}
