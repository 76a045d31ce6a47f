/** Admission control: limits how many cards a client may have before the person at once (K1), and lets others wait in line. */
import { WorkbenchError } from '#core/base/error.ts';
import { minutesInWords } from '../deadline.ts';
import { Deadline } from '../deadline.ts';

export const CARDS_PER_CLIENT = 3;

interface Queued {
  readonly enter: () => void;
  readonly turnAway: (reason: string) => void;
}

export class CardAdmission {
  readonly #minutes: () => number;
  readonly #taken = new Map<string, number>();
  readonly #lines = new Map<string, Set<Queued>>();

  readonly #changed: () => void;

  /** `minutes` returns how long a request waits in line. `changed` is called when the line is longer or shorter. */
  constructor(minutes: () => number, changed: () => void) {
    this.#minutes = minutes;
    this.#changed = changed;
  }

  /** The number of requests that wait in line, of all clients. */
  get inLine(): number {
    return [...this.#lines.values()].reduce((sum, line) => sum + line.size, 0);
  }

  has(client: string): boolean {
    return (this.#taken.get(client) ?? 0) < CARDS_PER_CLIENT;
  }

  /** Takes a place even where none is free, for requests that must have a card. */
  take(client: string): void {
    this.#taken.set(client, (this.#taken.get(client) ?? 0) + 1);
  }

  /** Gives a place back; the first in line has it then. */
  leave(client: string): void {
    const taken = (this.#taken.get(client) ?? 0) - 1;
    if (taken > 0) this.#taken.set(client, taken);
    else this.#taken.delete(client);
    if (!this.has(client)) return;
    const [first] = this.#lines.get(client) ?? [];
    first?.enter();
  }

  /**
   * Takes a place; where there is none, and `unless` is given, as soon as there is one.
   * @throws WorkbenchError `refused` when nobody decided about those before within the time, when `unless` fires, or when
   * the line is turned away.
   */
  async enter(client: string, unless: AbortSignal | null): Promise<void> {
    if (unless === null || this.has(client)) return this.take(client);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const turnAway = (reason: string): void => {
      leave();
      reject(new WorkbenchError('refused', reason));
    };
    const enter = (): void => {
      leave();
      this.take(client);
      resolve();
    };
    const own: Queued = { enter, turnAway };
    const minutes = this.#minutes();
    const deadline = new Deadline(minutes * 60_000, () =>
      turnAway(
        `${CARDS_PER_CLIENT} other requests wait for the person, who did not decide within ${minutesInWords(minutes)}.`,
      ),
    );
    const stop = (): void => turnAway('The code stopped waiting.');
    const line = this.#lines.get(client) ?? new Set();
    const leave = (): void => {
      deadline.cancel();
      unless.removeEventListener('abort', stop);
      line.delete(own);
      if (line.size === 0) this.#lines.delete(client);
      this.#changed();
    };
    this.#lines.set(client, line.add(own));
    unless.addEventListener('abort', stop, { once: true });
    if (unless.aborted) stop();
    this.#changed();
    return promise;
  }

  /** Rejects the requests that wait in line: those of one client, or all. */
  reject(reason: string, client?: string): void {
    const lines = client === undefined ? [...this.#lines.values()] : [this.#lines.get(client) ?? []];
    for (const each of lines.flatMap((line) => [...line])) each.turnAway(reason);
  }
}
