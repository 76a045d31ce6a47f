/**
 * Calls that take longer than their client can bear, as their code waits for a person inside an effect, or runs: they are
 * answered with a handle, and go on (decision 26).
 */
import type { Effect } from '#contract/effect.ts';
import type { Settlement, Ticket } from '#core/approvals/request.ts';
import type { Session } from '#core/sessions/session.ts';
import type { OutputChunk } from '#core/sessions/scheduler/scheduler.ts';
import type { StillRunning } from './results.ts';
import type { ToolOutcome } from '../tool.ts';

export interface RunningCall {
  readonly id: string;
  /** The same call of the same client has the same. */
  readonly key: string;
  readonly session: Session;
  /** The connection that it belongs to: when nobody uses that again, what only runs is ended. */
  readonly connectionId: string;
  /** Milliseconds that it may take in all; no bound when left out. */
  readonly responseTimeoutMs: number | undefined;
  /** Milliseconds that it may wait for a person before it is answered. */
  readonly approvalTimeoutMs: number;
  /** Fires when the caller cancels, which ends it while it is not answered. */
  readonly signal: AbortSignal;
  /** Fires when nobody is there any more to take its answer: it goes on, and need not be held for a person. */
  readonly disconnected: AbortSignal | undefined;
}

/** It was answered before it ended. `settled` is its end; `effect` what its code waits for, null when it runs. */
export interface DetachedCall extends Ticket<ToolOutcome> {
  readonly effect: Effect<'waiting'> | null;
}

export class BackgroundCalls {
  readonly #asked: (effect: string) => boolean;
  readonly #left = new Map<string, Ticket<ToolOutcome>>();
  readonly #running = new Map<string, Running>();

  /** `asked`: whether an effect that has just been requested waits for a person, rather than being decided by rule. */
  constructor(asked: (effect: string) => boolean) {
    this.#asked = asked;
  }

  /** The call that was answered with a handle and has not ended, for one that is sent again. */
  find(key: string): Ticket<ToolOutcome> | null {
    return this.#left.get(key) ?? null;
  }

  /** How far a call is that was answered with this handle; null when it waits for a person, has ended, or is none. */
  stateOf(id: string): StillRunning | null {
    const running = this.#running.get(id);
    return running && running.waiting === null ? running.progress() : null;
  }

  /** What the code of the call that was answered with this handle waits for a person to decide; null when it waits for none. */
  effectOf(id: string): Effect<'waiting'> | null {
    return this.#running.get(id)?.waiting ?? null;
  }

  /** Runs it. Gives its outcome, or how to get that later when its code has waited for a person too long. */
  async run(
    call: RunningCall,
    start: (signal: AbortSignal) => Promise<ToolOutcome>,
  ): Promise<ToolOutcome | DetachedCall> {
    const control = new AbortController();
    const leave = (): void => control.abort(call.signal.reason);
    call.signal.addEventListener('abort', leave, { once: true });
    if (call.signal.aborted) leave();
    const { waited, stop } = waitsTooLong(call, this.#asked);
    const running = new Running(call, this.#asked);
    this.#running.set(call.id, running);
    const ended = start(control.signal).finally(() => {
      this.#running.delete(call.id);
      running.stop();
    });
    const first = await Promise.race([ended, waited, running.timedOut]);
    stop();
    call.signal.removeEventListener('abort', leave);
    if (first !== null && !('effect' in first)) return first;
    running.detach(control);
    const settled = ended.then((outcome): Settlement<ToolOutcome> => ({ denied: false, outcome, modified: false }));
    const ticket = { id: call.id, settled };
    this.#left.set(call.key, ticket);
    void settled.finally(() => this.#left.delete(call.key));
    return { ...ticket, effect: first };
  }
}

/** Characters of output that are kept for who asks how far it is: the latest. */
const MOST_OUTPUT = 8_000;

/** A call under way, with what it prints. */
class Running {
  /** Resolves when it has taken too long, with the effect that it waits for, or null. */
  readonly timedOut: Promise<Effect<'waiting'> | null>;
  waiting: Effect<'waiting'> | null = null;
  readonly #started = performance.now();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #stops: (() => void)[];
  readonly #call: RunningCall;
  #output = '';
  #cut = 0;

  constructor(call: RunningCall, asked: (effect: string) => boolean) {
    this.#call = call;
    const { id, session, responseTimeoutMs } = call;
    const { promise, resolve } = Promise.withResolvers<Effect<'waiting'> | null>();
    this.timedOut = promise;
    if (responseTimeoutMs !== undefined) this.#timer = setTimeout(() => resolve(this.waiting), responseTimeoutMs);
    this.#stops = [
      session.events.on('output', ({ evaluation, stream, text }) => {
        if (evaluation === id && stream !== 'process') this.#print({ stream, text });
      }),
      session.events.on('effect-requested', (effect) => {
        if (effect.evaluation === id && asked(effect.effect)) this.waiting = effect;
      }),
      session.events.on('effect-settled', ({ effect }) => {
        if (this.waiting?.effect === effect) this.waiting = null;
      }),
    ];
  }

  /** It was answered: from now on it ends by itself, when it is interrupted, or with its connection while it only runs. */
  detach(control: AbortController): void {
    const { session, connectionId } = this.#call;
    this.#stops.push(
      session.events.on('forgotten', (gone) => {
        if (gone.connectionId === connectionId && this.waiting === null) control.abort('its client has gone');
      }),
    );
  }

  progress(): StillRunning {
    const cut = this.#cut > 0 ? `… ${this.#cut} characters before\n` : '';
    const output = this.#output === '' ? '' : `${cut}${this.#output.trimEnd()}`;
    [this.#output, this.#cut] = ['', 0];
    return { seconds: Math.round((performance.now() - this.#started) / 1000), output, behind: this.#behind() };
  }

  /** What has the turn that this call waits for, in words; null when it has begun. */
  #behind(): string | null {
    const { id, session } = this.#call;
    const { running, waiting } = session.view();
    if (!running || waiting.every(({ evaluation }) => evaluation !== id)) return null;
    return `${running.actor.kind === 'person' ? 'the person' : running.actor.name}'s ${running.summary}`;
  }

  stop(): void {
    clearTimeout(this.#timer);
    for (const each of this.#stops) each();
  }

  #print({ text }: OutputChunk): void {
    const all = this.#output + text;
    this.#cut += Math.max(0, all.length - MOST_OUTPUT);
    this.#output = all.slice(-MOST_OUTPUT);
  }
}

/** Resolves with the effect that the code of the call has waited to have for longer than its client can be kept. */
function waitsTooLong(
  { id, session, approvalTimeoutMs, disconnected }: RunningCall,
  asked: (effect: string) => boolean,
): { waited: Promise<Effect<'waiting'>>; stop: () => void } {
  const { promise: waited, resolve } = Promise.withResolvers<Effect<'waiting'>>();
  const timers = new Map<string, NodeJS.Timeout>();
  const waiting = new Map<string, Effect<'waiting'>>();
  const leave = (): void => [...waiting.values()].slice(0, 1).forEach(resolve);
  disconnected?.addEventListener('abort', leave, { once: true });
  const stops = [
    () => disconnected?.removeEventListener('abort', leave),
    session.events.on('effect-requested', (effect) => {
      if (effect.evaluation !== id || !asked(effect.effect)) return;
      const timer = setTimeout(() => resolve(effect), approvalTimeoutMs);
      timers.set(effect.effect, timer);
      waiting.set(effect.effect, effect);
      if (disconnected?.aborted) leave();
    }),
    session.events.on('effect-settled', ({ effect }) => {
      clearTimeout(timers.get(effect));
      waiting.delete(effect);
    }),
  ];
  const stop = (): void => {
    for (const each of stops) each();
    for (const timer of timers.values()) clearTimeout(timer);
  };
  return { waited, stop };
}
