/** Admission control: limits how many cards a client can have waiting at once (K1). Further requests of the client wait in line. */
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

  /** `minutes` returns how long a request waits in line. `changed` is called when the length of the line changes. */
  constructor(minutes: () => number, changed: () => void) {
    this.#minutes = minutes;
    this.#changed = changed;
  }

  /** The number of queued requests of all clients. */
  get inLine(): number {
    return [...this.#lines.values()].reduce((sum, line) => sum + line.size, 0);
  }

  has(client: string): boolean {
    return (this.#taken.get(client) ?? 0) < CARDS_PER_CLIENT;
  }

  /** Takes a place even if none is free. Used for requests that must have a card. */
  take(client: string): void {
    this.#taken.set(client, (this.#taken.get(client) ?? 0) + 1);
  }

  /** Releases a place, which the first request in line then takes. */
  leave(client: string): void {
    const taken = (this.#taken.get(client) ?? 0) - 1;
    if (taken > 0) this.#taken.set(client, taken);
    else this.#taken.delete(client);
    if (!this.has(client)) return;
    const [first] = this.#lines.get(client) ?? [];
    first?.enter();
  }

  /**
   * Takes a place. If none is free and `unless` is given, waits for one.
   * @throws WorkbenchError `refused` if no place became free in time, if `unless` fires, or if the line is rejected.
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
        `${CARDS_PER_CLIENT} other requests are waiting for the person, who did not decide within ${minutesInWords(minutes)}.`,
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

  /** Rejects the waiting requests of one client or of all clients. */
  reject(reason: string, client?: string): void {
    const lines = client === undefined ? [...this.#lines.values()] : [this.#lines.get(client) ?? []];
    for (const each of lines.flatMap((line) => [...line])) each.turnAway(reason);
  }
}
