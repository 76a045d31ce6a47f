/**
 * Calls that take longer than their client can wait, because their code is still running or is waiting for a person's decision about an
 * effect. Such a call is answered with a handle and continues to run (decision 26).
 */
import type { Effect } from '#contract/decisions/effect.ts';
import { isOutputStream } from '#contract/image/evaluation.ts';
import type { Actor } from '#contract/image/session.ts';
import type { Settlement, Ticket } from '#core/approvals/request.ts';
import type { CallOfCode } from '#core/effects/gate.ts';
import type { OutputChunk } from '#core/sessions/scheduler/output-chunk.ts';
import type { Session } from '#core/sessions/session.ts';
import { connectionOf } from '../connection/connection.ts';
import type { ToolOutcome } from '../tool.ts';
import type { Caller } from './caller.ts';
import { isTranscript, withoutTranscript } from '../replies/compiler-transcript.ts';
import { ResponseDeadlines } from './response-deadlines.ts';
import type { StillRunning } from './results.ts';

export interface RunningCall {
  readonly id: string;
  /**
   * The handle with which the client awaits the call, which is the id of an earlier approval. Omitted if the handle is the call's own id.
   */
  readonly handle?: string;
  readonly caller: Caller;
}

interface CallToRun extends RunningCall {
  /** Returns a digest that is equal if the same client sends the same call again. Called only when needed, because it is expensive. */
  readonly key: () => string;
}

/**
 * A call that was answered before it ended. `settled` resolves when the call ends. `effect` is the effect that the call's code is waiting
 * for, or null if the code is running.
 */
export interface DetachedCall extends Ticket<ToolOutcome> {
  readonly effect: Effect<'waiting'> | null;
}

export class BackgroundCalls {
  readonly #asked: (effect: string) => boolean;
  /** Calls that were answered with a handle and have not ended yet, grouped by key. */
  readonly #left = new Map<string, readonly Ticket<ToolOutcome>[]>();
  readonly #running = new Map<string, Running>();
  readonly #watched = new WeakSet<Session>();
  readonly #deadlines = new ResponseDeadlines();

  /** `asked` returns true if a person must decide about a new effect, and false if a rule has decided. */
  constructor(asked: (effect: string) => boolean) {
    this.#asked = asked;
  }

  /**
   * Returns the running background call that a resent call repeats; null if there is none. The meaning of code depends on its connection.
   * Therefore another connection of the same client can join only an abandoned call, and takes it over.
   */
  find(
    { key, caller }: Pick<CallToRun, 'key' | 'caller'>,
    isAbandoned: (handle: string) => boolean,
  ): Ticket<ToolOutcome> | null {
    if (this.#left.size === 0) return null;
    const tickets = this.#left.get(key()) ?? [];
    const own = tickets.find(({ id }) => this.#running.get(id)?.isOf(caller.connectionId));
    const left = own ?? tickets.find(({ id }) => isAbandoned(id));
    if (left) this.#running.get(left.id)?.moveTo(caller.connectionId);
    return left ?? null;
  }

  /** Cancels a call of this actor that was answered with a handle. Returns false if there is no such call. */
  cancel(id: string, actor: Actor): boolean {
    const running = this.#running.get(id);
    return running !== undefined && running.cancel(actor);
  }

  /** Returns true if a call of this connection is running, even if it was already answered with a handle. */
  runsFor(connectionId: string): boolean {
    return [...this.#running.values()].some((running) => running.isOf(connectionId));
  }

  /**
   * Returns the running call to which an evaluation belongs. This is the call that started the evaluation, or, if the evaluation is held,
   * the call that runs code in it.
   */
  callOf({ held }: Session, evaluation: string): CallOfCode | null {
    const running = this.#running.get(evaluation) ?? this.#running.get(held.callOf(evaluation) ?? '');
    return running ? { handle: running.handle, askable: running.askable } : null;
  }

  /** Returns the progress of the call with this handle; null if the call is waiting for a person, has ended or does not exist. */
  stateOf(handle: string): StillRunning | null {
    const running = this.#byHandle(handle);
    return running && running.waiting === null ? running.progress() : null;
  }

  /** Returns the effect that must be decided by a person before the call with this handle continues; null if there is none. */
  effectOf(handle: string): Effect<'waiting'> | null {
    return this.#byHandle(handle)?.waiting ?? null;
  }

  /**
   * Runs a call and resolves with its outcome. Resolves with a detached call instead if the call takes too long, or if its code waits too
   * long for a person. `start` gets the signal that cancels the call. Until the call is answered, the caller can fire this signal; after
   * that, only this class can.
   */
  run(call: CallToRun, start: (signal: AbortSignal) => Promise<ToolOutcome>): Promise<ToolOutcome | DetachedCall> {
    return new Promise((resolve, reject) => {
      const running = new Running(call, this.#deadlines);
      running.attach((effect) => resolve(this.#detached(call, running, effect, ended)));
      const ended = this.#begin(call, running, start);
      ended.then(resolve, reject);
    });
  }

  /**
   * Runs a call that a person has approved. The client waits for the request, not for this call, and may already have been answered with
   * the request's handle.
   */
  runDetached(call: RunningCall, start: (signal: AbortSignal) => Promise<ToolOutcome>): Promise<ToolOutcome> {
    return this.#begin(call, new Running(call, this.#deadlines), start);
  }

  #begin(
    { id, caller }: RunningCall,
    running: Running,
    start: (signal: AbortSignal) => Promise<ToolOutcome>,
  ): Promise<ToolOutcome> {
    this.#watch(caller.session);
    this.#running.set(id, running);
    return start(running.signal).finally(() => {
      this.#running.delete(id);
      running.stop();
    });
  }

  #byHandle(handle: string): Running | undefined {
    return this.#running.get(handle) ?? [...this.#running.values()].find((each) => each.handle === handle);
  }

  #detached(
    { id, key }: CallToRun,
    running: Running,
    effect: Effect<'waiting'> | null,
    ended: Promise<ToolOutcome>,
  ): DetachedCall {
    running.detach();
    const settled = ended.then((outcome): Settlement<ToolOutcome> => {
      const settlement = { denied: false, outcome, modified: false } as const;
      return running.wasAsked ? settlement : { ...settlement, unasked: true };
    });
    const ticket = { id, settled };
    this.#left.set(key(), [...(this.#left.get(key()) ?? []), ticket]);
    void settled.finally(() => {
      const others = (this.#left.get(key()) ?? []).filter((each) => each !== ticket);
      if (others.length > 0) this.#left.set(key(), others);
      else this.#left.delete(key());
    });
    return { ...ticket, effect };
  }

  /**
   * Forwards a session's reports to the calls that they concern. Usually an evaluation has the id of the call that started it. A held
   * evaluation may run code for a later call.
   */
  #watch(session: Session): void {
    if (this.#watched.has(session)) return;
    this.#watched.add(session);
    const { events, held } = session;
    const callOf = (evaluation: string): Running | undefined =>
      this.#running.get(evaluation) ?? this.#running.get(held.callOf(evaluation) ?? '');
    events.on('output', ({ evaluation, stream, text }) => {
      if (evaluation !== null && isOutputStream(stream)) callOf(evaluation)?.print({ stream, text });
    });
    events.on('system-progress', ({ evaluation, action, component, done, total }) => {
      if (evaluation !== null) callOf(evaluation)?.step(action, component, done, total);
    });
    events.on('effect-requested', (effect) => {
      const running = effect.evaluation === null ? undefined : callOf(effect.evaluation);
      if (running && this.#asked(effect.effect)) running.wait(effect);
    });
    events.on('effect-settled', ({ evaluation, effect }) => {
      if (evaluation !== null) callOf(evaluation)?.settle(effect);
    });
    events.on('forgotten', ({ connectionId }) => {
      for (const running of this.#running.values()) if (running.isOf(connectionId)) running.forget();
    });
  }
}

/** The maximum number of the latest characters of a call's output that are stored for progress reports. */
const MOST_OUTPUT = 8_000;

/** A running call, with its output and the effects that its code is waiting for. */
class Running {
  readonly handle: string;
  readonly #caller: Caller;
  /** The connection with which the call ends: the caller's connection, or another one that has taken the call over. */
  #connectionId: string;
  readonly #id: string;
  readonly #started = performance.now();
  /** Answers the call's request with its handle; null once the request has been answered in this way. */
  #leave: ((effect: Effect<'waiting'> | null) => void) | null = null;
  readonly #control = new AbortController();
  readonly #deadlines: ResponseDeadlines;
  /** Effects that are waiting for a person, oldest first. Each has the timer that ends the client's wait. */
  readonly #effects = new Map<
    string,
    { readonly effect: Effect<'waiting'>; readonly timer: NodeJS.Timeout | undefined }
  >();
  #output = '';
  #cut = 0;
  #step: string | null = null;
  /** True once the compiler's transcript has appeared in the output. */
  #compiles = false;

  constructor({ id, handle = id, caller }: RunningCall, deadlines: ResponseDeadlines) {
    this.#caller = caller;
    this.#connectionId = caller.connectionId;
    this.#id = id;
    this.handle = handle;
    this.#deadlines = deadlines;
  }

  /**
   * Connects the call to its request: if the request is cancelled, the call is cancelled too. `leave` is called when the client cannot wait
   * any longer. Its argument is the effect that the call's code is waiting for, or null.
   */
  attach(leave: (effect: Effect<'waiting'> | null) => void): void {
    this.#leave = leave;
    const { responseTimeoutMs, signal, channel } = this.#caller;
    channel?.answerNow?.addEventListener('abort', this.#answerNow);
    if (signal?.aborted) this.#cancel();
    else signal?.addEventListener('abort', this.#cancel);
    if (responseTimeoutMs !== undefined) this.#deadlines.set(this.#id, responseTimeoutMs, () => leave(this.waiting));
  }

  /** True if the call's client can put a question to its own person. */
  get askable(): boolean {
    return this.#caller.channel !== undefined;
  }

  /** True if a person was asked about an effect of the call's code. */
  wasAsked = false;

  /** Fires when the call is cancelled. */
  get signal(): AbortSignal {
    return this.#control.signal;
  }

  /** The latest effect of the call's code that is waiting for a person's decision; null if there is none. */
  get waiting(): Effect<'waiting'> | null {
    return [...this.#effects.values()].at(-1)?.effect ?? null;
  }

  isOf(connectionId: string): boolean {
    return this.#connectionId === connectionId;
  }

  moveTo(connectionId: string): void {
    this.#connectionId = connectionId;
  }

  /**
   * Records that the call's code is waiting for a person. The client's request waits up to the approval timeout. If the connection is
   * closed, the request is answered at once.
   */
  wait(effect: Effect<'waiting'>): void {
    this.wasAsked = true;
    const { approvalTimeoutMs, disconnected } = this.#caller;
    const leave = this.#leave;
    const timer = leave === null ? undefined : setTimeout(() => leave(effect), approvalTimeoutMs);
    this.#effects.set(effect.effect, { effect, timer });
    if (leave === null) return;
    if (disconnected?.aborted) this.#disconnected();
    else disconnected?.addEventListener('abort', this.#disconnected);
  }

  settle(effect: string): void {
    clearTimeout(this.#effects.get(effect)?.timer);
    if (this.#effects.delete(effect) && this.#effects.size === 0) this.#watchNoConnection();
  }

  /**
   * Detaches the call from its request, which was answered with the handle. From now on the call ends when its code has ended or when it is
   * interrupted. It also ends when its connection is forgotten, except while it is waiting for a person.
   */
  detach(): void {
    this.#leave = null;
    this.#ignoreCaller();
    this.#stopTimers();
  }

  /** Cancels the call if it was already answered and belongs to this actor. */
  cancel({ id }: Actor): boolean {
    if (this.#leave !== null || this.#caller.actor.id !== id) return false;
    this.#control.abort('its client interrupted it');
    return true;
  }

  /** Cancels a detached call whose connection was closed, except if the call is waiting for a person. */
  forget(): void {
    if (this.#leave === null && this.waiting === null) this.#control.abort('its client disconnected');
  }

  progress(): StillRunning {
    const cut = this.#cut > 0 ? `… ${this.#cut} characters before\n` : '';
    const printed = this.#output.trimEnd();
    const output = printed === '' ? '' : `${cut}${printed}`;
    [this.#output, this.#cut] = ['', 0];
    const seconds = Math.round((performance.now() - this.#started) / 1000);
    return { evaluation: this.#id, seconds, output, step: this.#step, behind: this.#behind() };
  }

  /** Returns a description of the evaluation that this call must wait for; null if the call has begun. */
  #behind(): string | null {
    const { session } = this.#caller;
    const held = connectionOf(this.#caller).suspended?.call ?? null;
    if (held !== null && held !== this.#id && session.underway.every(({ evaluation }) => evaluation !== this.#id))
      return `your own call ${held}, whose code runs in the debugger`;
    const { running, waiting } = session.view();
    if (!running || waiting.every(({ evaluation }) => evaluation !== this.#id)) return null;
    return `${running.actor.kind === 'person' ? 'the person' : running.actor.name}'s ${running.summary}`;
  }

  step(action: 'compile' | 'load' | 'other', component: string, done: number, total: number): void {
    const doing = { compile: 'Compiling', load: 'Loading', other: 'At step' }[action];
    this.#step = `${doing} ${Math.min(done + 1, total)} of ${total}, ${component}`;
  }

  print({ text }: OutputChunk): void {
    // The compiler's messages come with the final answer, as located warnings.
    this.#compiles ||= isTranscript(text);
    const all = this.#compiles ? withoutTranscript(this.#output + text) : this.#output + text;
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
    this.#caller.channel?.answerNow?.removeEventListener('abort', this.#answerNow);
    this.#caller.signal?.removeEventListener('abort', this.#cancel);
  }

  readonly #answerNow = (): void => this.#leave?.(this.waiting);

  readonly #disconnected = (): void => {
    const [first] = this.#effects.values();
    if (first) this.#leave?.(first.effect);
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
