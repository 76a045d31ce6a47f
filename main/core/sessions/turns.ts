/**
 * Whose evaluation runs next. One holds the image at a time; a person goes before agents, and within a rank the first
 * come is served first. An evaluation that waits for input is set aside and holds nothing meanwhile.
 */
import type { Actor } from '#contract/session.ts';
import { WorkbenchError } from '#core/error.ts';

/** What a turn is for, as the queue and the window show it. */
export interface TurnRequest {
  readonly evaluation: string;
  readonly actor: Actor;
  readonly summary: string;
  /** For whose connection or REPL. */
  readonly context?: string;
  /** Housekeeping of the session itself goes before everybody. */
  readonly urgent?: boolean;
}

export interface Turn extends TurnRequest {
  readonly startedAt: number;
}

interface Waiting {
  readonly request: TurnRequest;
  readonly grant: (turn: Turn) => void;
}

export class Turns {
  #running: Turn | null = null;
  readonly #parked = new Map<string, Turn>();
  #waiting: Waiting[] = [];
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get running(): Turn | null {
    return this.#running;
  }

  get parked(): Turn[] {
    return [...this.#parked.values()];
  }

  get waiting(): TurnRequest[] {
    return this.#waiting.map(({ request }) => request);
  }

  /** How many evaluations run before this one; 0 when it runs or is unknown. */
  placeOf(evaluation: string): number {
    return this.#waiting.findIndex(({ request }) => request.evaluation === evaluation) + 1;
  }

  /**
   * Waits for the image and returns the function that gives it back.
   * @throws WorkbenchError `cancelled` when `signal` fires before the turn has come.
   */
  async take(request: TurnRequest, signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) throw cancelled();
    const busy = this.#running !== null || this.#waiting.length > 0;
    const turn = busy ? await this.#queue(request, signal) : this.#begin(request);
    return () => this.#release(turn);
  }

  /** Sets the running evaluation aside: it waits for something outside, and the next one may run. */
  park(evaluation: string): void {
    if (this.#running?.evaluation !== evaluation) return;
    this.#parked.set(evaluation, this.#running);
    this.#running = null;
    this.#next();
  }

  /** What it waited for has come. The image itself sees to it that only one evaluates at a time. */
  resume(evaluation: string): void {
    const turn = this.#parked.get(evaluation);
    if (!turn) return;
    if (!this.#running) {
      this.#parked.delete(evaluation);
      this.#running = turn;
    }
    this.#onChange();
  }

  #queue(request: TurnRequest, signal?: AbortSignal): Promise<Turn> {
    return new Promise((resolve, reject) => {
      const abandon = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== entry);
        this.#onChange();
        reject(cancelled());
      };
      const entry: Waiting = {
        request,
        grant: (turn) => {
          signal?.removeEventListener('abort', abandon);
          resolve(turn);
        },
      };
      signal?.addEventListener('abort', abandon, { once: true });
      const behind = this.#waiting.findIndex((other) => rank(other.request) > rank(request));
      this.#waiting.splice(behind < 0 ? this.#waiting.length : behind, 0, entry);
      this.#onChange();
    });
  }

  #release(turn: Turn): void {
    if (this.#parked.get(turn.evaluation) === turn) {
      this.#parked.delete(turn.evaluation);
      this.#onChange();
    } else if (this.#running === turn) {
      this.#running = null;
      this.#next();
    }
  }

  #next(): void {
    const entry = this.#waiting.shift();
    // The turn begins here and now, before anybody else can step in between.
    if (entry) entry.grant(this.#begin(entry.request));
    else this.#onChange();
  }

  #begin(request: TurnRequest): Turn {
    this.#running = { ...request, startedAt: Date.now() };
    this.#onChange();
    return this.#running;
  }
}

function rank(request: TurnRequest): number {
  if (request.urgent) return 0;
  return request.actor.kind === 'person' ? 1 : 2;
}

function cancelled(): WorkbenchError {
  return new WorkbenchError('cancelled', 'Cancelled before it was evaluated.');
}
