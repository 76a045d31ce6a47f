/**
 * The skeleton of a JSON message that is too long to store: the outermost level of the message, in which the id of the request can be
 * found.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);

/** The maximum number of octets of the outermost level. A message whose outermost level is longer is not a request. */
const MOST = 4096;

export class Skeleton {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #kept: number[] = [];

  /** Adds the next octets of the message. */
  take(piece: Uint8Array): void {
    for (const octet of piece) this.#octet(octet);
  }

  /** The id of the request; null if the message has none or is not JSON. */
  get id(): string | number | null {
    if (this.#kept.length > MOST) return null;
    try {
      const { id } = JSON.parse(Buffer.from(this.#kept).toString('utf8')) as { id?: unknown };
      return typeof id === 'string' || typeof id === 'number' ? id : null;
    } catch {
      return null;
    }
  }

  #octet(octet: number): void {
    const before = this.#depth;
    if (this.#escaped) this.#escaped = false;
    else if (this.#inString && octet === BACKSLASH) this.#escaped = true;
    else if (octet === QUOTE) this.#inString = !this.#inString;
    else if (!this.#inString && OPENING.has(octet)) this.#depth += 1;
    else if (!this.#inString && CLOSING.has(octet)) this.#depth -= 1;
    // Nested values are reduced to their brackets.
    if (Math.min(before, this.#depth) <= 1 && this.#kept.length <= MOST) this.#kept.push(octet);
  }
}
