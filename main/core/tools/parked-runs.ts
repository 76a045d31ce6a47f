/**
 * Calls whose code waits for a person: it is parked inside an effect. They are held as long as their client can bear, then
 * answered with a handle, and go on (decision 26).
 */
import type { EffectRecord } from '#contract/effect.ts';
import type { Settlement, Ticket } from '#core/approvals/request.ts';
import type { Session } from '#core/sessions/session.ts';
import type { ToolOutcome } from './tool.ts';

export interface RunningCall {
  readonly id: string;
  /** The same call of the same client has the same. */
  readonly key: string;
  readonly session: Session;
  /** Milliseconds that it may wait for a person before it is answered. */
  readonly holdMs: number;
  /** Fires when the caller cancels, which ends it while it is not answered. */
  readonly signal: AbortSignal;
  /** Fires when nobody is there any more to take its answer: it goes on, and need not be held for a person. */
  readonly left: AbortSignal | undefined;
}

/** It was answered before it ended. `settled` is its end. */
export interface LeftRunning extends Ticket<ToolOutcome> {
  readonly effect: EffectRecord;
}

export class ParkedRuns {
  readonly #asked: (effect: string) => boolean;
  readonly #left = new Map<string, Ticket<ToolOutcome>>();

  /** `asked`: whether an effect that has just been requested waits for a person, rather than being decided by rule. */
  constructor(asked: (effect: string) => boolean) {
    this.#asked = asked;
  }

  /** The call that was answered with a handle and has not ended, for one that is sent again. */
  find(key: string): Ticket<ToolOutcome> | null {
    return this.#left.get(key) ?? null;
  }

  /** Runs it. Gives its outcome, or how to get that later when its code has waited for a person too long. */
  async run(
    call: RunningCall,
    start: (signal: AbortSignal) => Promise<ToolOutcome>,
  ): Promise<ToolOutcome | LeftRunning> {
    const control = new AbortController();
    const leave = (): void => control.abort(call.signal.reason);
    call.signal.addEventListener('abort', leave, { once: true });
    if (call.signal.aborted) leave();
    const { waited, stop } = waitsTooLong(call, this.#asked);
    const ended = start(control.signal);
    const first = await Promise.race([ended, waited]);
    stop();
    call.signal.removeEventListener('abort', leave);
    if (!('effect' in first)) return first;
    const settled = ended.then((outcome): Settlement<ToolOutcome> => ({ denied: false, outcome, modified: false }));
    const ticket = { id: call.id, settled };
    this.#left.set(call.key, ticket);
    void settled.finally(() => this.#left.delete(call.key));
    return { ...ticket, effect: first };
  }
}

/** Resolves with the effect that the code of the call has waited to have for longer than its client can be kept. */
function waitsTooLong(
  { id, session, holdMs, left }: RunningCall,
  asked: (effect: string) => boolean,
): { waited: Promise<EffectRecord>; stop: () => void } {
  const { promise: waited, resolve } = Promise.withResolvers<EffectRecord>();
  const timers = new Map<string, NodeJS.Timeout>();
  const waiting = new Map<string, EffectRecord>();
  const leave = (): void => [...waiting.values()].slice(0, 1).forEach(resolve);
  left?.addEventListener('abort', leave, { once: true });
  const stops = [
    () => left?.removeEventListener('abort', leave),
    session.events.on('effect-requested', (effect) => {
      if (effect.evaluation !== id || !asked(effect.effect)) return;
      const timer = setTimeout(() => resolve(effect), holdMs);
      timers.set(effect.effect, timer);
      waiting.set(effect.effect, effect);
      if (left?.aborted) leave();
    }),
    session.events.on('effect-settled', ({ effect: { effect } }) => {
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
