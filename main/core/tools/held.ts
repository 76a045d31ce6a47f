/**
 * A failed evaluation of a connection that waits in the debugger after its answer. While it waits it keeps its locks and no
 * checkpoint can be made, so there is one a connection, only at the client's wish, and not for long.
 */
import type { DebuggerRecord } from '#contract/debugger.ts';
import type { ConditionRecord } from '#contract/condition.ts';
import type { EvaluationStatus, PrintedValue } from '#contract/evaluation.ts';
import type { OutputChunk } from '#core/sessions/runner.ts';
import type { Session } from '#core/sessions/session.ts';
import { printedText } from './runs.ts';

/** How it ended after all. */
export interface Ended {
  readonly status: EvaluationStatus;
  readonly values: readonly PrintedValue[];
  readonly condition: ConditionRecord | null;
}

/** Given up when nothing was asked of it for so long. */
const LONGEST_MS = 10 * 60_000;
/** A thread that does not unwind is left to itself after that. */
const UNWIND_MS = 2_000;

export class Held {
  readonly evaluation: string;
  readonly debugger: string;
  readonly ended: Promise<Ended>;
  /** It runs code: in a frame, or because a restart was taken. */
  busy = false;
  over = false;
  readonly #session: Session;
  #output: OutputChunk[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(session: Session, evaluation: string, id: string) {
    this.#session = session;
    this.evaluation = evaluation;
    this.debugger = id;
    this.ended = this.#watch();
    this.#await();
  }

  /** Where it waits; null when it does not any more. */
  async record(): Promise<DebuggerRecord | null> {
    if (this.over) return null;
    this.#await();
    return this.#session.lookUp('debugger', { debugger: this.debugger }).catch(() => null);
  }

  /** What it printed since the last time. */
  takeOutput(): string {
    const output = this.#output;
    this.#output = [];
    return printedText(output);
  }

  /** Lets it run something; when `signal` fires what it runs is interrupted. */
  async run<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
    this.busy = true;
    const stop = (): void => this.interrupt();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      return await work;
    } finally {
      signal.removeEventListener('abort', stop);
      this.busy = false;
      this.#await();
    }
  }

  /** Ends what it runs, or its waiting when it runs nothing. */
  interrupt(): void {
    this.#session.tell('interrupt', { evaluation: this.evaluation });
  }

  /** Unwinds it; returns when that is done. */
  async giveUp(): Promise<void> {
    if (this.over) return;
    this.interrupt();
    // The image can miss the first one. Not sooner: it would cut short what the code does as it is unwound.
    const again = setTimeout(() => this.interrupt(), UNWIND_MS / 2).unref();
    const late = new Promise((resolve) => setTimeout(resolve, UNWIND_MS).unref());
    await Promise.race([this.ended, late]);
    clearTimeout(again);
  }

  #await(): void {
    clearTimeout(this.#timer);
    if (!this.over) this.#timer = setTimeout(() => void this.giveUp(), LONGEST_MS).unref();
  }

  #watch(): Promise<Ended> {
    const { events } = this.#session;
    return new Promise((resolve) => {
      const stops = [
        events.on('output', ({ evaluation, stream, text }) => {
          if (evaluation === this.evaluation && stream !== 'process') this.#output.push({ stream, text });
        }),
        events.on('evaluation-continued', ({ evaluation, status, values, condition }) => {
          if (evaluation === this.evaluation) end({ status, values, condition });
        }),
        events.on('life', ({ change }) => {
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
