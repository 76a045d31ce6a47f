/**
 * Calls that take longer than their client can bear, as their code waits for a person inside an effect, or runs: they are
 * answered with a handle, and go on (decision 26).
 */
import type { Effect } from '#contract/effect.ts';
import { isOutputStream } from '#contract/evaluation.ts';
import type { Settlement, Ticket } from '#core/approvals/request.ts';
import type { OutputChunk } from '#core/sessions/scheduler/scheduler.ts';
import type { Session } from '#core/sessions/session.ts';
import type { ToolOutcome } from '../tool.ts';
import type { Caller } from './caller.ts';
import { ResponseDeadlines } from './response-deadlines.ts';
import type { StillRunning } from './results.ts';

export interface RunningCall {
  readonly id: string;
  /** Returns the digest by which the same call of the same client is recognized when it is sent again. Costly: called only then. */
  readonly key: () => string;
  readonly caller: Caller;
}

/** A call that was answered before it ended. `settled` is its end; `effect` what its code waits for, null when it runs. */
export interface DetachedCall extends Ticket<ToolOutcome> {
  readonly effect: Effect<'waiting'> | null;
}

export class BackgroundCalls {
  readonly #asked: (effect: string) => boolean;
  /** Calls that were answered with a handle and have not ended, by their keys. */
  readonly #left = new Map<string, Ticket<ToolOutcome>>();
  readonly #running = new Map<string, Running>();
  readonly #watched = new WeakSet<Session>();
  readonly #deadlines = new ResponseDeadlines();

  /** `asked`: whether an effect that has just been requested waits for a person, rather than being decided by rule. */
  constructor(asked: (effect: string) => boolean) {
    this.#asked = asked;
  }

  /** Returns the background call of an equal call that is sent again; null when there is none. */
  find(key: () => string): Ticket<ToolOutcome> | null {
    return this.#left.size === 0 ? null : (this.#left.get(key()) ?? null);
  }

  /** Returns the progress of the call with this handle; null when it waits for a person, has ended, or is none. */
  stateOf(id: string): StillRunning | null {
    const running = this.#running.get(id);
    return running && running.waiting === null ? running.progress() : null;
  }

  /** Returns the effect that the code of the call with this handle waits for a person to decide; null when it waits for none. */
  effectOf(id: string): Effect<'waiting'> | null {
    return this.#running.get(id)?.waiting ?? null;
  }

  /**
   * Runs a call. Resolves with its outcome, or with how to get that later when the call has taken, or its code has waited for a
   * person, too long. `start` gets the signal that cancels the call: its caller's until the call is answered, and from then on
   * only that of this class.
   */
  run(call: RunningCall, start: (signal: AbortSignal) => Promise<ToolOutcome>): Promise<ToolOutcome | DetachedCall> {
    this.#watch(call.caller.session);
    return new Promise((resolve, reject) => {
      const running = new Running(call.caller, call.id, this.#deadlines, (effect) =>
        resolve(this.#detached(call, running, effect, ended)),
      );
      this.#running.set(call.id, running);
      const ended = start(running.signal).finally(() => {
        this.#running.delete(call.id);
        running.stop();
      });
      ended.then(resolve, reject);
    });
  }

  #detached(
    { id, key }: RunningCall,
    running: Running,
    effect: Effect<'waiting'> | null,
    ended: Promise<ToolOutcome>,
  ): DetachedCall {
    running.detach();
    const settled = ended.then((outcome): Settlement<ToolOutcome> => ({ denied: false, outcome, modified: false }));
    const ticket = { id, settled };
    this.#left.set(key(), ticket);
    void settled.finally(() => this.#left.delete(key()));
    return { ...ticket, effect };
  }

  /** Hands what a session tells to the calls that it is about: an evaluation has the id of the call that made it. */
  #watch(session: Session): void {
    if (this.#watched.has(session)) return;
    this.#watched.add(session);
    const { events } = session;
    events.on('output', ({ evaluation, stream, text }) => {
      if (evaluation !== null && isOutputStream(stream)) this.#running.get(evaluation)?.print({ stream, text });
    });
    events.on('effect-requested', (effect) => {
      const running = effect.evaluation === null ? undefined : this.#running.get(effect.evaluation);
      if (running && this.#asked(effect.effect)) running.wait(effect);
    });
    events.on('effect-settled', ({ evaluation, effect }) => {
      if (evaluation !== null) this.#running.get(evaluation)?.settle(effect);
    });
    events.on('forgotten', ({ connectionId }) => {
      for (const running of this.#running.values()) if (running.isOf(connectionId)) running.forget();
    });
  }
}

/** The most characters of a call's output that are kept for questions about its progress: the latest ones. */
const MOST_OUTPUT = 8_000;

/** A call under way, with what it prints and what its code waits for. */
class Running {
  readonly #caller: Caller;
  readonly #id: string;
  readonly #started = performance.now();
  readonly #leave: (effect: Effect<'waiting'> | null) => void;
  readonly #control = new AbortController();
  readonly #deadlines: ResponseDeadlines;
  /** Effects that wait for a person, oldest first, each with the timer that ends its client's wait. */
  readonly #effects = new Map<
    string,
    { readonly effect: Effect<'waiting'>; readonly timer: NodeJS.Timeout | undefined }
  >();
  #detached = false;
  #output = '';
  #cut = 0;

  /** `leave` is called when the client can be kept waiting no longer, with the effect that the call's code waits for, or null. */
  constructor(
    caller: Caller,
    id: string,
    deadlines: ResponseDeadlines,
    leave: (effect: Effect<'waiting'> | null) => void,
  ) {
    this.#caller = caller;
    this.#id = id;
    this.#deadlines = deadlines;
    this.#leave = leave;
    const { responseTimeoutMs, signal } = caller;
    if (signal?.aborted) this.#cancel();
    else signal?.addEventListener('abort', this.#cancel);
    if (responseTimeoutMs !== undefined) deadlines.set(id, responseTimeoutMs, () => leave(this.waiting));
  }

  /** Fires when the call is cancelled. */
  get signal(): AbortSignal {
    return this.#control.signal;
  }

  /** The latest effect that the call's code waits for a person to decide. */
  get waiting(): Effect<'waiting'> | null {
    return [...this.#effects.values()].at(-1)?.effect ?? null;
  }

  isOf(connectionId: string): boolean {
    return this.#caller.connectionId === connectionId;
  }

  /**
   * Notes that the call's code waits for a person. The client's request waits up to the approval timeout, and not at all once the
   * connection is gone.
   */
  wait(effect: Effect<'waiting'>): void {
    const { approvalTimeoutMs, disconnected } = this.#caller;
    const timer = this.#detached ? undefined : setTimeout(() => this.#leave(effect), approvalTimeoutMs);
    this.#effects.set(effect.effect, { effect, timer });
    if (this.#detached) return;
    if (disconnected?.aborted) this.#disconnected();
    else disconnected?.addEventListener('abort', this.#disconnected);
  }

  settle(effect: string): void {
    clearTimeout(this.#effects.get(effect)?.timer);
    if (this.#effects.delete(effect) && this.#effects.size === 0) this.#watchNoConnection();
  }

  /**
   * Detaches the call from the request that was answered with its handle. From now on it ends when its code has ended, when it is
   * interrupted, or, if it waits for nobody, when its connection is forgotten.
   */
  detach(): void {
    this.#detached = true;
    this.#ignoreCaller();
    this.#stopTimers();
  }

  /** Forgets the connection of the call, which nobody uses any more. */
  forget(): void {
    if (this.#detached && this.waiting === null) this.#control.abort('its client has gone');
  }

  progress(): StillRunning {
    const cut = this.#cut > 0 ? `… ${this.#cut} characters before\n` : '';
    const output = this.#output === '' ? '' : `${cut}${this.#output.trimEnd()}`;
    [this.#output, this.#cut] = ['', 0];
    return { seconds: Math.round((performance.now() - this.#started) / 1000), output, behind: this.#behind() };
  }

  /** Returns, in words, the evaluation that has the turn for which this call waits; null when the call has begun. */
  #behind(): string | null {
    const { running, waiting } = this.#caller.session.view();
    if (!running || waiting.every(({ evaluation }) => evaluation !== this.#id)) return null;
    return `${running.actor.kind === 'person' ? 'the person' : running.actor.name}'s ${running.summary}`;
  }

  print({ text }: OutputChunk): void {
    const all = this.#output + text;
    this.#cut += Math.max(0, all.length - MOST_OUTPUT);
    this.#output = all.slice(-MOST_OUTPUT);
  }

  stop(): void {
    this.#ignoreCaller();
    this.#stopTimers();
    this.#effects.clear();
  }

  readonly #cancel = (): void => this.#control.abort(this.#caller.signal?.reason);

  #ignoreCaller(): void {
    this.#caller.signal?.removeEventListener('abort', this.#cancel);
  }

  readonly #disconnected = (): void => {
    const [first] = this.#effects.values();
    if (first && !this.#detached) this.#leave(first.effect);
  };

  #stopTimers(): void {
    this.#deadlines.clear(this.#id);
    if (this.#effects.size === 0) return;
    this.#watchNoConnection();
    for (const { timer } of this.#effects.values()) clearTimeout(timer);
  }

  #watchNoConnection(): void {
    this.#caller.disconnected?.removeEventListener('abort', this.#disconnected);
  }
}
