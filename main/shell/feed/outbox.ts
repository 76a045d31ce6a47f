/**
 * The outbox of a page, which sends one batch at a time, the next one when the page has taken the last; only the first ones of a page
 * follow each other at once. Events that wait meanwhile are bounded: of states only the latest counts, and each kind of what comes in
 * floods has a bound of its own (see the channels). So a page that cannot follow gets less often more, the person's calls and their answers pass between two batches, and neither
 * process holds more for it. Times are milliseconds of a monotonic clock.
 */

export type PageEvent = readonly [name: string, payload: unknown];

/** A kind of what waits for the page. */
export interface Channel {
  /** True when an event waits. */
  readonly waits: boolean;
  /** Takes the events of the next batch; those that do not fit in it wait on. */
  take(): PageEvent[];
  /** The page begins anew, and asks for what it needs. */
  clear(): void;
}

export interface OutboxOptions {
  /** Sends a batch. Null needs no `taken`. */
  readonly send: (batch: number | null, events: readonly PageEvent[]) => void;
  /** The channels in the order in which they go into a batch. */
  readonly channels: readonly Channel[];
  readonly now?: () => number;
  readonly later?: (act: () => void, ms: number) => () => void;
}

/** A frame of the screen: what comes faster than that arrives together. */
const FRAME_MS = 16;
/** The page has as long for the person as the last batch took it, up to this. */
const LONGEST_REST_MS = 1_000;
/**
 * Batches that a page is sent without waiting for it when it begins. It takes them when it has drawn itself for the first time, which
 * says nothing about how well it can follow; and what a person waits for then, an image that is ready, must not wait longer.
 */
const FIRST_BATCHES = 4;

export class Outbox {
  readonly #options: Required<OutboxOptions>;
  /** The page listens. */
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

  /** A page begins to listen: what waited for the one before is of no use to it. */
  begin(): void {
    this.end();
    this.#open = true;
    this.#lastUnawaited = this.#count + FIRST_BATCHES;
  }

  /** The page is gone. */
  end(): void {
    this.#open = false;
    this.#underWay = null;
    this.#restUntil = 0;
    this.#stop();
    for (const channel of this.#options.channels) channel.clear();
  }

  /** Past all that waits. For what the person just did, and for the last words; floods go by the channels. */
  now(name: string, payload: unknown): void {
    this.#options.send(null, [[name, payload]]);
  }

  /** Notes that an event waits in a channel. */
  wake(): void {
    if (!this.#open) return this.#options.channels.forEach((channel) => channel.clear());
    if (this.#underWay || this.#stopTimer) return;
    const wait = Math.max(FRAME_MS, this.#restUntil - this.#options.now());
    this.#stopTimer = this.#options.later(() => {
      this.#stopTimer = null;
      this.#send();
    }, wait);
  }

  /** The page has taken this batch. */
  taken(batch: number): void {
    if (this.#underWay?.batch !== batch) return; // of the page before
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
