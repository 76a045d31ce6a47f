/**
 * The response timeout: how long a call may wait for a person before it is answered with a handle. The name that a client gives
 * itself tunes this and nothing else: it is a claim, and no right depends on it.
 */

/** The name and version that a client says it has. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

/** The response timeout that is assumed of an unknown client: below the shortest one that was seen. */
const UNKNOWN_MS = 25_000;
/** The part of the time after which a client gave up at which later calls of it are answered. */
const SAFE_PART = 0.6;
const LEAST_MS = 1_000;
/** Two times are the same when they differ by this part at most. */
const SAME_PART = 0.1;
/** Names and versions that are kept; whoever invents new ones only forgets what others taught. */
const MOST_LEARNED = 200;

/** Milliseconds by the name of the client, lower case; the first that fits counts. */
const KNOWN: readonly (readonly [RegExp, number])[] = [
  [/^claude-code/, 50_000],
  [/^claude(-ai| desktop)/, 45_000],
  [/^cursor/, 45_000],
  [/^codex/, 50_000],
  [/^gemini-cli/, 50_000],
  [/^qwen-cli/, 50_000], // 10 minutes in its source, and in the file that the wizard writes
  // A minute in their sources; for Kimi 10 minutes in the file that the wizard writes.
  [/^kimi-code/, 45_000],
  [/^continue-cli/, 45_000],
  [/^goose/, 50_000],
  [/^(cline|kilo)/, 45_000], // "cline", and the command line's "Cline CLI" and "@cline/…"
  [/^@cline\//, 45_000],
  [/^opencode/, 45_000],
  [/^copilot-cli/, 50_000], // it waited 200 s for an answer
  [/^(github[ -])?copilot/, UNKNOWN_MS],
  [/^visual studio code/, 45_000],
];

/**
 * Returns the response timeout of a client of this name, as far as it is known, in milliseconds. @internal Exported for its test.
 */
export function knownTimeout(name: string | undefined): number {
  const lower = name?.toLowerCase() ?? '';
  return KNOWN.find(([pattern]) => pattern.test(lower))?.[1] ?? UNKNOWN_MS;
}

/** The known response timeouts, lowered by what clients of the same name and version bore. */
export class ResponseTimeouts {
  readonly #learned = new Map<string, number>();
  /** Milliseconds that are known of a client, by the name that was asked for last. */
  #known: { readonly name: string | undefined; readonly ms: number } | null = null;
  /** Milliseconds after which a client left last, by its key. */
  readonly #left = new Map<string, number>();

  /** Milliseconds that a call may be held for a person before it is answered with a handle. */
  approval(info: ClientInfo | undefined): number {
    if (this.#known === null || this.#known.name !== info?.name)
      this.#known = { name: info?.name, ms: knownTimeout(info?.name) };
    const known = this.#known.ms;
    if (!info || this.#learned.size === 0) return known;
    return Math.min(known, this.#learned.get(keyOf(info)) ?? known);
  }

  /** Milliseconds that a call may take in all before it is answered with a handle. */
  response(info: ClientInfo | undefined, hasProgress = false): number | undefined {
    // A client that gave up once, although progress was sent to it, is answered in time from then on.
    if (hasProgress && (!info || !this.#left.has(keyOf(info)))) return undefined;
    return this.approval(info);
  }

  /**
   * Learns from a client that left a call after `afterMs`: where it does so twice after about the same time, that is its response
   * timeout and the next calls are answered sooner. A single time may have been a person who stopped it.
   */
  gaveUp(info: ClientInfo | undefined, afterMs: number): void {
    if (!info) return;
    const key = keyOf(info);
    const before = this.#left.get(key);
    remember(this.#left, key, afterMs);
    if (before === undefined || Math.abs(before - afterMs) > SAME_PART * Math.max(before, afterMs)) return;
    const lowered = Math.max(LEAST_MS, Math.round(afterMs * SAFE_PART));
    if (lowered >= this.approval(info)) return;
    remember(this.#learned, key, lowered);
  }
}

function remember(map: Map<string, number>, key: string, value: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MOST_LEARNED) map.delete(map.keys().next().value!);
}

/** True when a call was aborted because its client timed out, and not because somebody cancelled it. */
export function isTimeout(reason: unknown): boolean {
  return typeof reason !== 'string' || /tim(e|ed)[ -]?out/i.test(reason);
}

function keyOf({ name, version }: ClientInfo): string {
  return `${name.slice(0, 100)} ${version.slice(0, 100)}`;
}
