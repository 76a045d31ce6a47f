/**
 * A failed evaluation of a connection that is waiting in the debugger after its answer was sent. During that time it keeps its locks, and
 * no checkpoint can be created. Therefore each connection can have only one, only at the client's request, and for a limited time.
 */
import type { DebuggerRecord } from '#contract/image/debugger.ts';
import type { ConditionRecord } from '#contract/image/condition.ts';
import type { Actor } from '#contract/image/session.ts';
import { isOutputStream, type EvaluationStatus, type PrintedValue } from '#contract/image/evaluation.ts';
import type { OutputChunk } from '#core/sessions/scheduler/output-chunk.ts';
import type { HeldEvaluation } from '#core/sessions/held-evaluations.ts';
import type { Session } from '#core/sessions/session.ts';
import { printedText } from '../replies/printed-text.ts';

/** The final outcome of the evaluation. */
export interface Ended {
  readonly status: EvaluationStatus;
  readonly values: readonly PrintedValue[];
  readonly condition: ConditionRecord | null;
}

/** How long, in milliseconds, a suspended evaluation may be unused before it is abandoned. */
const LONGEST_MS = 10 * 60_000;
/**
 * The shorter limit, in milliseconds, that applies if another client works in the image, because no checkpoint can be created while an
 * evaluation is suspended.
 */
const CROWDED_MS = 2 * 60_000;
/** How long, in milliseconds, a thread may take to unwind. If it takes longer, it is left running. */
const UNWIND_MS = 2_000;

export class SuspendedEvaluation implements HeldEvaluation {
  readonly evaluation: string;
  readonly actor: Actor;
  readonly debugger: string;
  readonly ended: Promise<Ended>;
  /** The call that runs code in this evaluation, in a frame or after a restart; null while the evaluation only waits. */
  call: string | null = null;
  over = false;
  /** Resolves when the running code has ended. */
  #idle: Promise<unknown> = Promise.resolve();
  readonly #session: Session;
  #output: OutputChunk[] = [];
  #timer: NodeJS.Timeout | undefined;
  #longestMs = LONGEST_MS;
  #lookedAt = 0;

  constructor(
    session: Session,
    { evaluation, actor, debugger: id }: Pick<SuspendedEvaluation, 'evaluation' | 'actor' | 'debugger'>,
  ) {
    this.#session = session;
    this.evaluation = evaluation;
    this.actor = actor;
    this.debugger = id;
    this.ended = this.#watch();
    this.#await();
  }

  /** Returns the debugger's record; null if the evaluation is no longer waiting in the debugger. */
  async record(): Promise<DebuggerRecord | null> {
    if (this.over) return null;
    this.#await();
    return this.#session.lookUp('debugger', { debugger: this.debugger }).catch(() => null);
  }

  /** Returns the output since the last call of this method. */
  takeOutput(): string {
    const output = this.#output;
    this.#output = [];
    return printedText(output);
  }

  /**
   * Runs code for a call in the suspended evaluation. Interrupts the code when `signal` fires. Returns the code's result or, if the code
   * leaves the debugger, the outcome of the evaluation.
   */
  run<Result>(
    work: Promise<{ readonly left: boolean; readonly result: Result | null }>,
    { call, signal }: { readonly call: string; readonly signal: AbortSignal },
  ): Promise<{ readonly result: Result } | { readonly ended: Ended }> {
    const ran = this.#run(work, call, signal);
    this.#idle = ran.catch(() => {});
    return ran;
  }

  async #run<Result>(
    work: Promise<{ readonly left: boolean; readonly result: Result | null }>,
    call: string,
    signal: AbortSignal,
  ): Promise<{ readonly result: Result } | { readonly ended: Ended }> {
    this.call = call;
    clearTimeout(this.#timer);
    const stop = (): void => this.interrupt();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      const { left, result } = await work;
      return left || result === null ? { ended: await this.ended } : { result };
    } finally {
      signal.removeEventListener('abort', stop);
      this.call = null;
      this.#await();
    }
  }

  /** Resolves when no code is running in the evaluation, or when `signal` fires. */
  async idle(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise: cut, resolve } = Promise.withResolvers<void>();
    const leave = (): void => resolve();
    signal.addEventListener('abort', leave, { once: true });
    await Promise.race([this.#idle, cut]);
    signal.removeEventListener('abort', leave);
  }

  /** Ends the code that is running in the evaluation. If no code is running, ends the evaluation's wait. */
  interrupt(): void {
    this.#session.tell('interrupt', { evaluation: this.evaluation });
  }

  /** Unwinds the evaluation, and resolves when that is done. */
  async abandon(): Promise<void> {
    if (this.over) return;
    this.#session.tell('give-up', { evaluation: this.evaluation });
    const late = new Promise((resolve) => setTimeout(resolve, UNWIND_MS).unref());
    await Promise.race([this.ended, late]);
  }

  crowd(): void {
    if (this.#longestMs === CROWDED_MS) return;
    this.#longestMs = CROWDED_MS;
    if (this.call === null) this.#arm();
  }

  #await(): void {
    this.#lookedAt = performance.now();
    this.#arm();
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const left = Math.max(0, this.#lookedAt + this.#longestMs - performance.now());
    if (!this.over) this.#timer = setTimeout(() => void this.abandon(), left).unref();
  }

  #watch(): Promise<Ended> {
    const { events, held } = this.#session;
    return new Promise((resolve) => {
      const stops = [
        held.add(this),
        events.on('output', ({ evaluation, stream, text }) => {
          if (evaluation === this.evaluation && isOutputStream(stream)) this.#output.push({ stream, text });
        }),
        events.on('evaluation-continued', ({ evaluation, status, values, condition }) => {
          if (evaluation === this.evaluation) end({ status, values, condition });
        }),
        events.on('lifecycle', ({ change }) => {
          if (change !== 'checkpoint') end({ status: 'lost', values: [], condition: null });
        }),
      ];
      const end = (ended: Ended): void => {
        for (const stop of stops) stop();
        this.over = true;
        clearTimeout(this.#timer);
        resolve(ended);
      };
    });
  }
}
