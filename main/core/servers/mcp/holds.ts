/**
 * How long a call may be held for a person before it is answered with a handle. What a client calls itself tunes this and
 * nothing else: it is a claim, and no right depends on it.
 */

/** What a client says of itself. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

/** Below the shortest patience that was seen. */
const UNKNOWN_MS = 25_000;
/** After a client gave up, holds for it end at this part of the time that it bore. */
const SAFE_PART = 0.6;
const LEAST_MS = 1_000;
/** Names and versions that are kept; whoever invents new ones only forgets what others taught. */
const MOST_LEARNED = 200;

/** Milliseconds by the name of the client, lower case; the first that fits counts. */
const KNOWN: readonly (readonly [RegExp, number])[] = [
  [/^claude-code/, 50_000],
  [/^claude(-ai| desktop)/, 45_000],
  [/^cursor/, 45_000],
  [/^codex/, 50_000],
  [/^gemini-cli/, 50_000],
  [/^goose/, 50_000],
  [/^(cline|kilo)/, 45_000],
  [/^opencode/, 45_000],
  [/^(github[ -])?copilot/, UNKNOWN_MS],
  [/^visual studio code/, 45_000],
];

/** The hold for a client of this name, as far as is known of it. */
export function knownHold(name: string | undefined): number {
  const lower = name?.toLowerCase() ?? '';
  return KNOWN.find(([pattern]) => pattern.test(lower))?.[1] ?? UNKNOWN_MS;
}

/** The known holds, lowered by what clients of the same name and version bore. */
export class Holds {
  readonly #learned = new Map<string, number>();

  /** Milliseconds. */
  of(info: ClientInfo | undefined): number {
    const known = knownHold(info?.name);
    return info ? Math.min(known, this.#learned.get(keyOf(info)) ?? known) : known;
  }

  /** A client left a call that was held for `afterMs`: the next ones are answered sooner. */
  gaveUp(info: ClientInfo | undefined, afterMs: number): void {
    if (!info) return;
    const key = keyOf(info);
    const lowered = Math.max(LEAST_MS, Math.round(afterMs * SAFE_PART));
    if (lowered >= this.of(info)) return;
    this.#learned.delete(key);
    this.#learned.set(key, lowered);
    if (this.#learned.size > MOST_LEARNED) this.#learned.delete(this.#learned.keys().next().value!);
  }
}

/** Whether a call that was aborted was left for want of patience, and not because somebody cancelled it. */
export function lostPatience(reason: unknown): boolean {
  return typeof reason !== 'string' || /tim(e|ed)[ -]?out/i.test(reason);
}

function keyOf({ name, version }: ClientInfo): string {
  return `${name.slice(0, 100)} ${version.slice(0, 100)}`;
}
