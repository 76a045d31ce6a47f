/**
 * The run queue of an image: whose evaluation runs next, and what is suspended. One evaluation runs at a time; a person goes
 * before agents, and agents take turns: however many calls one agent has sent, each of the others waits for one of them at
 * most. Within one client the first come is served first. An evaluation that waits for something outside of its code is
 * suspended, and keeps nobody else from running. An evaluation of the person may overtake the running one of an agent: then both run.
 */
import type { Actor, Session as SessionView } from '#contract/image/session.ts';
import { WorkbenchError } from '#core/base/error.ts';

/** The request of a turn, as the queue and the window show it. */
export interface TurnRequest {
  readonly evaluation: string;
  readonly actor: Actor;
  readonly summary: string;
  /** The context, of a connection or a REPL, for which the turn is. */
  readonly context?: string;
  /** True for housekeeping of the session itself, which goes before everybody. */
  readonly urgent?: boolean;
  /** True where it does not wait for an agent's evaluation that runs, but runs beside it. */
  readonly overtakes?: boolean;
  /** True for what ASDF does, which works on one system at a time: it does not run beside other such work. */
  readonly systems?: boolean;
}

export interface Turn extends TurnRequest {
  readonly startedAt: number;
}

/** A reason why an evaluation is suspended; `id` tells several waits of one kind apart. */
export type Suspension =
  | { readonly kind: 'input' }
  | { readonly kind: 'debugger'; readonly id: string }
  | { readonly kind: 'effect'; readonly id: string };

interface Suspended {
  readonly turn: Turn;
  /** The reasons of the suspension, by {@link keyOf}. None are left once the evaluation goes on. */
  readonly reasons: Map<string, Suspension>;
}

interface Waiting {
  readonly request: TurnRequest;
  readonly grant: (turn: Turn) => void;
}

/** Evaluations of one client that may wait at a time. @internal Exported for its test. */
export const MOST_WAITING = 200;

export class RunQueue {
  #running: Turn | null = null;
  /** The evaluation of an agent beside which the running one runs. */
  #overtaken: Turn | null = null;
  readonly #suspended = new Map<string, Suspended>();
  /** The waiting turns, in the order in which they came. */
  #waiting: Waiting[] = [];
  /** The latest turn of each agent, by a count of turns. */
  readonly #served = new Map<string, number>();
  #turns = 0;
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get running(): Turn | null {
    return this.#running;
  }

  /** The evaluation of an agent that runs at the same time; null when none does. */
  get overtaken(): Turn | null {
    return this.#overtaken;
  }

  /** The suspended evaluations, the latest last. */
  get suspended(): Turn[] {
    return [...this.#suspended.values()].map(({ turn }) => turn);
  }

  /** The running evaluations, then the suspended ones, then those that wait for their turn. */
  get underway(): TurnRequest[] {
    const running = [this.#running, this.#overtaken].filter((turn) => turn !== null);
    return [...running, ...this.suspended, ...this.waiting];
  }

  /** True when no evaluation runs or is suspended. */
  get idle(): boolean {
    return this.#running === null && this.#suspended.size === 0;
  }

  /** The state of an image that runs: what all suspended evaluations wait for, where none goes on. */
  get state(): SessionView['state'] {
    if (this.#running) return 'evaluating';
    const waitsFor = [...this.#suspended.values()].map(({ reasons }) => [...reasons.values()].map(({ kind }) => kind));
    if (waitsFor.length === 0) return 'idle';
    if (waitsFor.some((kinds) => kinds.length === 0)) return 'evaluating';
    // Where they wait for different things, the one that ends by itself soonest, or that is answered first, is told.
    const isWaitedFor = (kind: Suspension['kind']): boolean => waitsFor.some((kinds) => kinds.includes(kind));
    if (isWaitedFor('effect')) return 'waiting-for-approval';
    return isWaitedFor('input') ? 'waiting-for-input' : 'debugging';
  }

  /** The reasons of a suspended evaluation; none when it goes on, or is not suspended. */
  reasonsOf(evaluation: string): readonly Suspension[] {
    return [...(this.#suspended.get(evaluation)?.reasons.values() ?? [])];
  }

  get waiting(): TurnRequest[] {
    return this.#inOrder().map(({ request }) => request);
  }

  /** Returns how many evaluations run before this one; 0 when it runs or is unknown. */
  placeOf(evaluation: string): number {
    return this.#inOrder().findIndex(({ request }) => request.evaluation === evaluation) + 1;
  }

  /**
   * Waits for the image and returns the function that gives it back.
   * @throws WorkbenchError `cancelled` when `signal` fires before the turn has come; `refused` when too many of the same
   *   client wait already.
   */
  async take(request: TurnRequest, signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) throw cancelled();
    if (this.#isFull(request.actor)) {
      throw new WorkbenchError(
        'refused',
        `${MOST_WAITING} of your evaluations are already waiting for this image. Wait for some of them before you send more.`,
      );
    }
    // Nobody waits while nothing runs: each end of a turn is the begin of the next.
    const turn = this.#mayBegin(request) ? this.#begin(request) : await this.#queue(request, signal);
    return () => this.#release(turn);
  }

  /** Suspends the running evaluation, or adds to what a suspended one waits for; any other is left alone. */
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
   * Ends one wait of a suspended evaluation. The evaluation goes on once it has no other reason to wait: the image itself sees to
   * it that only one evaluates at a time.
   * @returns whether it goes on.
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

  /** True when nothing runs, or only what it may overtake. */
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
    // The turn begins here and now, before anybody else can step in between.
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

  /** The waiting turns in the order in which they would come if nobody else asked. */
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

/** Returns, of those of the first rank, the one whose actor has waited longest for a turn; among equals the first come. */
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
