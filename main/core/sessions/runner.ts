/** Runs evaluations and loads one after the other in a kept image, and sees to it that each gets exactly one answer. */
import type { OutputStream } from '#contract/evaluation.ts';
import { messageOf } from '#core/error.ts';
import { describeEnd } from '#core/lisp/image-end.ts';
import type { LispImage } from '#core/lisp/image.ts';
import type { OperationReply, OperationRequest, WorkerOperation } from '#core/lisp/messages.ts';
import type { ImageKeeper } from './image-keeper.ts';
import { stop } from './interruption.ts';
import { Turns, type TurnRequest } from './turns.ts';

export interface OutputChunk {
  readonly stream: OutputStream;
  readonly text: string;
}

export interface Run<Name extends WorkerOperation> extends TurnRequest {
  readonly op: Name;
  readonly fields: OperationRequest<Name>;
  readonly signal?: AbortSignal;
  /** Done when its turn has come, before it begins. */
  readonly prepare?: (image: LispImage) => Promise<void>;
  /** After that long it is interrupted, and the answer says so. */
  readonly seconds?: number;
  /** The answer when the image gave none; `message` says why. */
  readonly lost: (message: string) => OperationReply<Name>;
}

/** An image that said it exits and does not is ended. */
const EXIT_MS = 5_000;

export interface RunOutcome<Name extends WorkerOperation> {
  readonly reply: OperationReply<Name>;
  readonly output: OutputChunk[];
}

interface Underway {
  readonly chunks: OutputChunk[];
  readonly finished: Promise<void>;
  /** Takes it out of the queue while its turn has not come. */
  readonly leaveQueue: () => void;
  /** Its code ends the image: the answer waits until that has happened. */
  endsImage: boolean;
  /** Its time limit, once it runs. */
  limit: { readonly stop: () => void; readonly start: () => void } | null;
}

export class Runner {
  readonly turns: Turns;
  readonly #keeper: ImageKeeper;
  readonly #underway = new Map<string, Underway>();

  constructor(keeper: ImageKeeper, onChange: () => void) {
    this.#keeper = keeper;
    this.turns = new Turns(onChange);
  }

  /**
   * Waits for its turn, asks the image and answers, whatever happens to the evaluation, its turn or the image.
   * @throws WorkbenchError `no-sbcl` or `no-image` when no image could be started.
   */
  async run<Name extends WorkerOperation>(run: Run<Name>): Promise<RunOutcome<Name>> {
    const { evaluation, signal } = run;
    const chunks: OutputChunk[] = [];
    const queue = new AbortController();
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    this.#underway.set(evaluation, {
      chunks,
      finished,
      leaveQueue: () => queue.abort(),
      endsImage: false,
      limit: null,
    });
    const abandon = (): void => void this.interrupt(evaluation);
    signal?.addEventListener('abort', abandon, { once: true });
    if (signal?.aborted) abandon();
    try {
      return { reply: await this.#inTurn(run, queue.signal), output: chunks };
    } finally {
      signal?.removeEventListener('abort', abandon);
      this.#underway.delete(evaluation);
      finish();
    }
  }

  /** Stops one evaluation, or with null whatever runs. False when there was nothing to stop. */
  async interrupt(evaluation: string | null): Promise<boolean> {
    const target = evaluation ?? this.turns.running?.evaluation ?? this.turns.parked.at(-1)?.evaluation;
    const underway = target === undefined ? undefined : this.#underway.get(target);
    if (target === undefined || !underway) return false;
    underway.leaveQueue();
    const image = this.#keeper.living;
    if (image && this.turns.placeOf(target) === 0) await stop(image, target, underway.finished);
    return true;
  }

  /** Sets an evaluation aside while it waits for somebody; its time limit stands still. */
  park(evaluation: string): void {
    this.#underway.get(evaluation)?.limit?.stop();
    this.turns.park(evaluation);
  }

  resume(evaluation: string): void {
    this.#underway.get(evaluation)?.limit?.start();
    this.turns.resume(evaluation);
  }

  /** Output that an evaluation printed; what comes after its end belongs to nobody's answer. */
  collect(evaluation: string | null, chunk: OutputChunk): void {
    if (evaluation !== null) this.#underway.get(evaluation)?.chunks.push(chunk);
  }

  /** The image is about to end by the wish of this evaluation's code, or of a thread that belongs to none. */
  imageExits(evaluation: string | null): void {
    const underway = this.#underway.get(evaluation ?? this.turns.running?.evaluation ?? '');
    if (underway) underway.endsImage = true;
  }

  #limit<Name extends WorkerOperation>({ evaluation, seconds, lost }: Run<Name>): TimeLimit<Name> {
    let late = false;
    const stop = (): void => {
      late = true;
      void this.interrupt(evaluation);
    };
    let left = seconds === undefined ? null : seconds * 1000;
    let timer: { since: number; timeout: NodeJS.Timeout } | null = null;
    const start = (): void => {
      if (left !== null && !timer) timer = { since: Date.now(), timeout: setTimeout(stop, left) };
    };
    const hold = (): void => {
      if (left === null || !timer) return;
      clearTimeout(timer.timeout);
      left = Math.max(0, left - (Date.now() - timer.since));
      timer = null;
    };
    start();
    const underway = this.#underway.get(evaluation);
    if (underway) underway.limit = { stop: hold, start };
    return {
      told: (answer) => {
        if (!late || answer.status !== 'interrupted') return answer;
        const { condition } = lost(`It was stopped after ${seconds} seconds, the limit of this session.`);
        return { ...answer, condition: condition && { ...condition, type: 'LISP-WORKBENCH:TIME-LIMIT' } };
      },
      clear: hold,
    };
  }

  async #livingImage(): Promise<LispImage> {
    for (;;) {
      const image = await this.#keeper.image();
      if (!image.exiting) return image;
      await ended(image);
    }
  }

  async #inTurn<Name extends WorkerOperation>(run: Run<Name>, signal: AbortSignal): Promise<OperationReply<Name>> {
    let release: () => void;
    try {
      const { evaluation, actor, summary, context, urgent } = run;
      const turn = {
        evaluation,
        actor,
        summary,
        ...(context === undefined ? {} : { context }),
        urgent: urgent ?? false,
      };
      release = await this.turns.take(turn, signal);
    } catch (error) {
      return { ...run.lost(messageOf(error)), status: 'interrupted' };
    }
    try {
      const image = await this.#livingImage();
      // Stopped while the image was coming up: it must not run now with nobody waiting for it.
      if (signal.aborted) return { ...run.lost('Cancelled before it was evaluated.'), status: 'interrupted' };
      await run.prepare?.(image);
      if (signal.aborted) return { ...run.lost('Cancelled before it was evaluated.'), status: 'interrupted' };
      const limit = this.#limit(run);
      const reply = await image
        .request(run.op, run.fields)
        .then((answer) => limit.told(answer))
        .catch(async (error: unknown) => run.lost(await whyLost(image, error)));
      limit.clear();
      if (this.#underway.get(run.evaluation)?.endsImage) await ended(image);
      return reply;
    } finally {
      release();
    }
  }
}

interface TimeLimit<Name extends WorkerOperation> {
  /** The answer, with the limit as its condition where that was what ended it. */
  readonly told: (answer: OperationReply<Name>) => OperationReply<Name>;
  readonly clear: () => void;
}

async function ended(image: LispImage): Promise<void> {
  const late = setTimeout(
    () => image.endLife('The image did not exit when its code asked it to, and was ended.'),
    EXIT_MS,
  );
  await image.lifeOver;
  clearTimeout(late);
}

async function whyLost(image: LispImage, error: unknown): Promise<string> {
  if (image.alive) return messageOf(error);
  const end = describeEnd(await image.lifeOver);
  return image.hasCheckpoint
    ? `${end} The image goes back to its last checkpoint; what was done since is undone.`
    : `${end} A fresh image takes its place; what was defined in the old one is gone, systems included.`;
}
