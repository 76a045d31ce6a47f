/**
 * The run queue of an image: it decides whose evaluation runs next, and tracks the suspended ones. One evaluation runs at a time. The
 * person goes before agents. Agents take turns: however many calls one agent has sent, each other agent waits for at most one of them. The
 * calls of one client run in the order of their arrival. An evaluation that waits for something outside its code is suspended, and does not
 * block the others. An evaluation of the person may overtake an agent's running one, and then both run.
 */
import type { Actor, Session as SessionView } from '#contract/image/session.ts';
import { WorkbenchError } from '#core/base/error.ts';

/** The request for a turn, which the queue and the window show. */
export interface TurnRequest {
  readonly evaluation: string;
  readonly actor: Actor;
  readonly summary: string;
  /** The context of the connection or REPL for which the turn is requested. */
  readonly context?: string;
  /** True for housekeeping of the session itself, which goes before all other requests. */
  readonly urgent?: boolean;
  /** True if the evaluation runs beside an agent's running evaluation instead of waiting for it. */
  readonly overtakes?: boolean;
  /** True for work of ASDF, which handles one system at a time: it does not run beside other such work. */
  readonly systems?: boolean;
}

export interface Turn extends TurnRequest {
  readonly startedAt: number;
}

/** A reason why an evaluation is suspended. `id` distinguishes several waits of one kind. */
export type Suspension =
  | { readonly kind: 'input' }
  | { readonly kind: 'debugger'; readonly id: string }
  | { readonly kind: 'effect'; readonly id: string };

interface Suspended {
  readonly turn: Turn;
  /** The reasons of the suspension, by {@link keyOf}. Empty once the evaluation continues. */
  readonly reasons: Map<string, Suspension>;
}

interface Waiting {
  readonly request: TurnRequest;
  readonly grant: (turn: Turn) => void;
}

/** The maximum number of evaluations of one client that may wait at the same time. @internal Exported for its test. */
export const MOST_WAITING = 200;

export class RunQueue {
  #running: Turn | null = null;
  /** The agent's evaluation that the running evaluation has overtaken. */
  #overtaken: Turn | null = null;
  readonly #suspended = new Map<string, Suspended>();
  /** The waiting turns, in order of arrival. */
  #waiting: Waiting[] = [];
  /** For each agent, the number of its latest turn. */
  readonly #served = new Map<string, number>();
  #turns = 0;
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get running(): Turn | null {
    return this.#running;
  }

  /** The agent's evaluation that runs at the same time as the person's; null if there is none. */
  get overtaken(): Turn | null {
    return this.#overtaken;
  }

  /** The suspended evaluations, the latest last. */
  get suspended(): Turn[] {
    return [...this.#suspended.values()].map(({ turn }) => turn);
  }

  /** The running evaluations, then the suspended ones, then the waiting ones. */
  get underway(): TurnRequest[] {
    const running = [this.#running, this.#overtaken].filter((turn) => turn !== null);
    return [...running, ...this.suspended, ...this.waiting];
  }

  /** True when no evaluation runs or is suspended. */
  get idle(): boolean {
    return this.#running === null && this.#suspended.size === 0;
  }

  /** The state of a running image. If all evaluations are suspended, the state is the reason for the suspension. */
  get state(): SessionView['state'] {
    if (this.#running) return 'evaluating';
    const waitsFor = [...this.#suspended.values()].map(({ reasons }) => [...reasons.values()].map(({ kind }) => kind));
    if (waitsFor.length === 0) return 'idle';
    if (waitsFor.some((kinds) => kinds.length === 0)) return 'evaluating';
    // If the evaluations wait for different things, the state names the kind of wait that ends soonest without the person. If there is
    // none, it names the kind that the person should answer first.
    const isWaitedFor = (kind: Suspension['kind']): boolean => waitsFor.some((kinds) => kinds.includes(kind));
    if (isWaitedFor('effect')) return 'waiting-for-approval';
    return isWaitedFor('input') ? 'waiting-for-input' : 'debugging';
  }

  /** Returns the reasons why an evaluation is suspended; empty if it continues or is not suspended. */
  reasonsOf(evaluation: string): readonly Suspension[] {
    return [...(this.#suspended.get(evaluation)?.reasons.values() ?? [])];
  }

  get waiting(): TurnRequest[] {
    return this.#inOrder().map(({ request }) => request);
  }

  /** Returns the evaluation's position in the queue, 1 for the next one; 0 if it is running or unknown. */
  placeOf(evaluation: string): number {
    return this.#inOrder().findIndex(({ request }) => request.evaluation === evaluation) + 1;
  }

  /**
   * Waits for a turn in the image and returns the function that ends the turn.
   * @throws WorkbenchError `cancelled` if `signal` fires before the turn has come; `refused` if the same client already has too many
   * waiting evaluations.
   */
  async take(request: TurnRequest, signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) throw cancelled();
    if (this.#isFull(request.actor)) {
      throw new WorkbenchError(
        'refused',
        `${MOST_WAITING} of your evaluations are already waiting for this image. Wait for some of them before you send more.`,
      );
    }
    // No evaluation waits while the image is free, because the end of each turn begins the next one.
    const turn = this.#mayBegin(request) ? this.#begin(request) : await this.#queue(request, signal);
    return () => this.#release(turn);
  }

  /** Suspends the running evaluation, or adds a reason to a suspended one. Does nothing for any other evaluation. */
  suspend(evaluation: string, reason: Suspension): void {
    const turn = [this.#running, this.#overtaken].find((each) => each?.evaluation === evaluation);
    if (turn) {
      this.#suspended.set(evaluation, { turn, reasons: new Map([[keyOf(reason), reason]]) });
      this.#stop(turn);
    } else {
      this.#suspended.get(evaluation)?.reasons.set(keyOf(reason), reason);
    }
  }

  /**
   * Ends one wait of a suspended evaluation. The evaluation continues once it has no other reason to wait: the image itself ensures that
   * only one evaluates at a time.
   * @returns whether it continues.
   */
  resume(evaluation: string, reason: Suspension): boolean {
    const suspended = this.#suspended.get(evaluation);
    if (!suspended?.reasons.delete(keyOf(reason)) || suspended.reasons.size > 0) return false;
    if (this.#mayBegin(suspended.turn)) {
      this.#suspended.delete(evaluation);
      this.#run(suspended.turn);
    }
    this.#onChange();
    return true;
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
      this.#waiting.push(entry);
      this.#onChange();
    });
  }

  #release(turn: Turn): void {
    if (this.#suspended.get(turn.evaluation)?.turn === turn) {
      this.#suspended.delete(turn.evaluation);
      this.#onChange();
    } else if (this.#running === turn || this.#overtaken === turn) {
      this.#stop(turn);
    }
  }

  /** Returns true if nothing is running, or only an evaluation that the request may overtake. */
  #mayBegin({ overtakes = false, systems = false }: TurnRequest): boolean {
    const running = this.#running;
    if (running === null) return true;
    return overtakes && !this.#overtaken && running.actor.kind === 'client' && !(systems && running.systems);
  }

  #run(turn: Turn): void {
    this.#overtaken = this.#running;
    this.#running = turn;
  }

  #stop(turn: Turn): void {
    if (this.#running === turn) this.#running = this.#overtaken;
    this.#overtaken = null;
    this.#next();
  }

  #next(): void {
    const entry = next(
      this.#waiting.filter(({ request }) => this.#mayBegin(request)),
      this.#served,
    );
    this.#waiting = this.#waiting.filter((other) => other !== entry);
    // The turn begins here, synchronously, so that no other request can step in between.
    if (entry) entry.grant(this.#begin(entry.request));
    else this.#onChange();
  }

  #begin(request: TurnRequest): Turn {
    const turn = { ...request, startedAt: Date.now() };
    this.#run(turn);
    this.#turns += 1;
    this.#served.set(request.actor.id, this.#turns);
    this.#onChange();
    return turn;
  }

  #isFull(actor: Actor): boolean {
    if (actor.kind === 'person') return false;
    return this.#waiting.filter(({ request }) => request.actor.id === actor.id).length >= MOST_WAITING;
  }

  /** Returns the waiting turns in the order in which they would run if no other request came. */
  #inOrder(): Waiting[] {
    const served = new Map(this.#served);
    const ordered: Waiting[] = [];
    let left = this.#waiting;
    for (let turn = this.#turns + 1; left.length > 0; turn += 1) {
      const entry = next(left, served)!;
      left = left.filter((other) => other !== entry);
      served.set(entry.request.actor.id, turn);
      ordered.push(entry);
    }
    return ordered;
  }
}

/**
 * Returns the waiting turn with the best rank. If several have the same rank, returns the one whose actor has waited longest since its last
 * turn; if that is also equal, the one that arrived first.
 */
function next(waiting: readonly Waiting[], served: ReadonlyMap<string, number>): Waiting | undefined {
  const lastTurn = ({ request }: Waiting): number =>
    request.actor.kind === 'person' ? 0 : (served.get(request.actor.id) ?? 0);
  let best: Waiting | undefined;
  for (const each of waiting) {
    if (!best) best = each;
    else if (rank(each.request) < rank(best.request)) best = each;
    else if (rank(each.request) === rank(best.request) && lastTurn(each) < lastTurn(best)) best = each;
  }
  return best;
}

function keyOf(reason: Suspension): string {
  return reason.kind === 'input' ? reason.kind : `${reason.kind} ${reason.id}`;
}

function rank(request: TurnRequest): number {
  if (request.urgent) return 0;
  return request.actor.kind === 'person' ? 1 : 2;
}

function cancelled(): WorkbenchError {
  return new WorkbenchError('cancelled', 'Cancelled before it was evaluated.');
}
