/**
 * The response timeout: how long a call may wait for a person before it is answered with a handle. A client's name is only a claim, so it
 * affects only this value, never the client's rights.
 */

/** The name and version that a client claims. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

/** The response timeout of an unknown client, in milliseconds. It is below the shortest timeout that was observed. */
const UNKNOWN_MS = 25_000;
/** If a client gave up after some time, its later calls are answered after this fraction of that time. */
const SAFE_PART = 0.6;
const LEAST_MS = 1_000;
/** Two times count as equal if their relative difference is at most this. */
const SAME_PART = 0.1;
/** The maximum number of stored names and versions. A client that invents new ones can only displace learned values. */
const MOST_LEARNED = 200;

/** Response timeouts in milliseconds. Each pattern matches the client's name in lower case; the first match applies. */
const KNOWN: readonly (readonly [RegExp, number])[] = [
  [/^claude-code/, 50_000],
  [/^claude(-ai| desktop)/, 45_000],
  [/^cursor/, 45_000],
  [/^codex/, 50_000],
  [/^gemini-cli/, 50_000],
  [/^qwen-cli/, 50_000], // This client waits 10 minutes, according to its source and to the file that the wizard writes.
  // According to their sources, these clients wait a minute. With the file that the wizard writes, Kimi waits 10 minutes.
  [/^kimi-code/, 45_000],
  [/^continue-cli/, 45_000],
  [/^goose/, 50_000],
  [/^(cline|kilo)/, 45_000], // "cline", and the command line's "Cline CLI" and "@cline/…"
  [/^@cline\//, 45_000],
  [/^opencode/, 45_000],
  [/^copilot-cli/, 50_000], // Copilot CLI waited 200 s for an answer
  [/^(github[ -])?copilot/, UNKNOWN_MS],
  [/^visual studio code/, 45_000],
];

/** Returns the known response timeout of a client with this name, in milliseconds. @internal Exported for its test. */
export function knownTimeout(name: string | undefined): number {
  const lower = name?.toLowerCase() ?? '';
  return KNOWN.find(([pattern]) => pattern.test(lower))?.[1] ?? UNKNOWN_MS;
}

/** The known response timeouts. A timeout is lowered if clients of the same name and version gave up earlier. */
export class ResponseTimeouts {
  readonly #learned = new Map<string, number>();
  /** The known response timeout, in milliseconds, for the client name of the latest request. */
  #known: { readonly name: string | undefined; readonly ms: number } | null = null;
  /** How many milliseconds a client waited when it last gave up, by the client's key. */
  readonly #left = new Map<string, number>();

  /** Returns how many milliseconds a call may wait for a person before it is answered with a handle. */
  approval(info: ClientInfo | undefined): number {
    if (this.#known === null || this.#known.name !== info?.name)
      this.#known = { name: info?.name, ms: knownTimeout(info?.name) };
    const known = this.#known.ms;
    if (!info || this.#learned.size === 0) return known;
    return Math.min(known, this.#learned.get(keyOf(info)) ?? known);
  }

  /** Returns how many milliseconds a call may take in total before it is answered with a handle; undefined for no limit. */
  response(info: ClientInfo | undefined, hasProgress = false): number | undefined {
    // The limit also applies to a client that gave up once although it got progress reports.
    if (hasProgress && (!info || !this.#left.has(keyOf(info)))) return undefined;
    return this.approval(info);
  }

  /**
   * Learns from a client that gave up a call after `afterMs`. If it does so twice after about the same time, that time is its response
   * timeout, and later calls are answered sooner. After a single time, nothing changes, because a person may have stopped the call.
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

/** Returns true if a call was aborted because its client timed out; false if it was cancelled. */
export function isTimeout(reason: unknown): boolean {
  return typeof reason !== 'string' || /tim(e|ed)[ -]?out/i.test(reason);
}

function keyOf({ name, version }: ClientInfo): string {
  return `${name.slice(0, 100)} ${version.slice(0, 100)}`;
}
