/**
 * The scheduler of an image: it runs evaluations and loads in the order of the run queue, and ensures that each gets exactly one answer.
 */
import { setImmediate } from 'node:timers/promises';
import { messageOf } from '#core/base/error.ts';
import { describeEnd, endReasons } from '#core/lisp/image-end.ts';
import type { LispImage } from '#core/lisp/image.ts';
import type { OperationReply, OperationRequest, WorkerOperation } from '#core/lisp/messages.ts';
import type { ImageSupervisor } from '../supervisor/supervisor.ts';
import { stop } from './interruption.ts';
import { NOT_EVALUATED } from '../report.ts';
import { LateOutput } from './late-output.ts';
import type { OutputChunk } from './output-chunk.ts';
import { RunQueue, type Suspension, type TurnRequest } from './run-queue.ts';
import { TimeLimit } from './time-limit.ts';

export interface Run<Name extends WorkerOperation> extends TurnRequest {
  readonly op: Name;
  readonly fields: OperationRequest<Name>;
  readonly signal?: AbortSignal;
  /** Runs when the turn has come, before the operation begins. */
  readonly prepare?: (image: LispImage) => Promise<void>;
  /** True if the code certainly does not change the image. */
  readonly readsOnly?: boolean;
  /** False if the output is not wanted with the reply. */
  readonly collects?: boolean;
  /** Time limit in seconds, after which the evaluation is interrupted. The answer then reports the limit. */
  readonly seconds?: number;
  /** Called with the image's answer, before any later message of the image is processed. */
  readonly answered?: (reply: OperationReply<Name>) => void;
  /** Returns the answer to use if the image gave none; `message` says why. */
  readonly lost: (message: string) => OperationReply<Name>;
}

/** The time in milliseconds that an image which announced its exit may take before it is ended. */
const EXIT_MS = 5_000;
/**
 * The time, in milliseconds, that code in a debugger may take to end after an interrupt. After that, the debugger is ended together with
 * its evaluation.
 */
const FREE_MS = 2_000;

export interface RunOutcome<Name extends WorkerOperation> {
  readonly reply: OperationReply<Name>;
  readonly output: OutputChunk[];
}

interface Underway {
  readonly chunks: OutputChunk[];
  readonly collects: boolean;
  /** The chunks that the process wrote to its standard error, where SBCL's runtime reports the reason for the image's end. */
  readonly ofRuntime: Set<OutputChunk>;
  /** The number of characters of the process's own output that may still be added to the answer. */
  processOutputLeft: number;
  readonly finished: Promise<void>;
  /** Removes the evaluation from the queue if its turn has not come yet. */
  readonly leaveQueue: () => void;
  /** True if the code ends the image: the answer then waits for that end. */
  endsImage: boolean;
  /** The time limit of the evaluation; null until it is running. */
  limit: TimeLimit | null;
}

export class Scheduler {
  readonly queue: RunQueue;
  readonly late = new LateOutput();
  readonly #supervisor: ImageSupervisor;
  readonly #runsHeld: (evaluation: string) => boolean;
  readonly #underway = new Map<string, Underway>();

  /**
   * `runsHeld` returns true if an answered evaluation that is held in the debugger is running code for a call. That call then takes the
   * output.
   */
  constructor(supervisor: ImageSupervisor, onChange: () => void, runsHeld: (evaluation: string) => boolean) {
    this.#supervisor = supervisor;
    this.#runsHeld = runsHeld;
    this.queue = new RunQueue(onChange);
  }

  /**
   * Waits for the turn, sends the operation to the image and answers, whatever happens to the evaluation, its turn or the image.
   * @throws WorkbenchError `no-sbcl` or `no-image` if no image could be started.
   */
  async run<Name extends WorkerOperation>(run: Run<Name>): Promise<RunOutcome<Name>> {
    const { evaluation, signal } = run;
    const chunks: OutputChunk[] = [];
    const queue = new AbortController();
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    const underway: Underway = {
      chunks,
      collects: run.collects ?? true,
      ofRuntime: new Set(),
      processOutputLeft: run.fields.outputLimit,
      finished,
      leaveQueue: () => queue.abort(),
      endsImage: false,
      limit: null,
    };
    this.#underway.set(evaluation, underway);
    if (run.actor.kind === 'client' && run.context !== undefined && underway.collects)
      this.late.begin(evaluation, run.context);
    const abandon = (): void => void this.interrupt(evaluation, { holds: isTimeout(signal?.reason) });
    signal?.addEventListener('abort', abandon, { once: true });
    if (signal?.aborted) abandon();
    try {
      const reply = await this.#inTurn(run, queue.signal);
      if (underway.collects) chunks.push(...reply.outputTails);
      return { reply, output: describesEnd(reply) ? chunks.filter((chunk) => !underway.ofRuntime.has(chunk)) : chunks };
    } finally {
      signal?.removeEventListener('abort', abandon);
      this.#underway.delete(evaluation);
      finish();
    }
  }

  /**
   * Returns true once the image has received the evaluation. An evaluation whose turn has come may not have been sent yet, because the
   * image is starting or being checkpointed.
   */
  hasBegun(evaluation: string): boolean {
    return (this.#underway.get(evaluation)?.limit ?? null) !== null;
  }

  /** Stops one evaluation; with null, the running one. `holds` is passed to `stop`. Returns false if there was nothing to stop. */
  async interrupt(evaluation: string | null, { holds = false } = {}): Promise<boolean> {
    const target = evaluation ?? this.queue.running?.evaluation ?? this.queue.suspended.at(-1)?.evaluation;
    const underway = target === undefined ? undefined : this.#underway.get(target);
    if (target === undefined || !underway) return false;
    underway.leaveQueue();
    const image = this.#supervisor.living;
    if (!image || this.queue.placeOf(target) > 0) return true;
    const waits = this.queue.reasonsOf(target).find((reason) => reason.kind === 'debugger');
    if (waits && (await interruptInDebugger(image, target, waits.id, underway.finished))) return true;
    await stop(image, target, underway.finished, { holds });
    return true;
  }

  /** Suspends an evaluation while it waits for something outside its code. Pauses its time limit. */
  suspend(evaluation: string, reason: Suspension): void {
    this.#underway.get(evaluation)?.limit?.pause();
    this.queue.suspend(evaluation, reason);
  }

  /** Ends one wait of a suspended evaluation, which continues unless it has another reason to wait. */
  resume(evaluation: string, reason: Suspension): void {
    if (this.queue.resume(evaluation, reason)) this.#underway.get(evaluation)?.limit?.resume();
  }

  /** Collects output of an evaluation. Output that comes after its answer is stored for a later answer of its connection. */
  collect(evaluation: string | null, chunk: OutputChunk): void {
    if (evaluation === null) return;
    const underway = this.#underway.get(evaluation);
    if (underway?.collects) underway.chunks.push(chunk);
    else if (!underway && !this.#runsHeld(evaluation)) this.late.add(evaluation, chunk);
  }

  /** Reports an error that ended a thread of an evaluation: with the evaluation's output, or with a later answer of its connection. */
  threadFailed(evaluation: string | null, text: string): void {
    if (evaluation !== null && !this.#underway.has(evaluation) && !this.#runsHeld(evaluation))
      this.late.fail(evaluation, text);
    else this.collect(evaluation, { stream: 'stderr', text });
  }

  /**
   * Collects output of the process itself, which names no evaluation. It is attributed to the running evaluation, up to that evaluation's
   * limit.
   */
  collectOfProcess({ stream, text }: OutputChunk): void {
    const underway = this.#underway.get(this.queue.running?.evaluation ?? '');
    if (!underway?.collects) return;
    const allowed = text.slice(0, underway.processOutputLeft);
    underway.processOutputLeft -= allowed.length;
    if (allowed === '') return;
    const chunk = { stream, text: allowed };
    if (stream === 'stderr') underway.ofRuntime.add(chunk);
    underway.chunks.push(chunk);
  }

  /** Records that the image is about to end because this evaluation's code, or a thread outside any evaluation, requested it. */
  imageExits(evaluation: string | null): void {
    const underway = this.#underway.get(evaluation ?? this.queue.running?.evaluation ?? '');
    if (underway) underway.endsImage = true;
  }

  #limit({ evaluation, seconds }: Run<WorkerOperation>): TimeLimit {
    const limit = new TimeLimit(seconds ?? null, () => void this.interrupt(evaluation));
    const underway = this.#underway.get(evaluation);
    if (underway) underway.limit = limit;
    return limit;
  }

  async #livingImage(): Promise<LispImage> {
    for (;;) {
      const image = await this.#supervisor.image();
      if (!image.exiting) return image;
      await ended(image);
    }
  }

  async #inTurn<Name extends WorkerOperation>(run: Run<Name>, signal: AbortSignal): Promise<OperationReply<Name>> {
    let release: () => void;
    try {
      const { evaluation, actor, summary, context, urgent, overtakes, systems } = run;
      const turn = {
        evaluation,
        actor,
        summary,
        ...(context === undefined ? {} : { context }),
        urgent: urgent ?? false,
        overtakes: overtakes ?? false,
        systems: systems ?? false,
      };
      release = await this.queue.take(turn, signal);
    } catch (error) {
      return notEvaluated(run, messageOf(error));
    }
    try {
      const image = await this.#livingImage();
      // The evaluation was stopped while the image was starting. It must not run now, because its caller is no longer waiting.
      if (signal.aborted) return notEvaluated(run, 'Cancelled before it was evaluated.');
      await run.prepare?.(image);
      if (signal.aborted) return notEvaluated(run, 'Cancelled before it was evaluated.');
      const limit = this.#limit(run);
      const told = (answer: OperationReply<Name>): OperationReply<Name> =>
        limit.exceeded && answer.status === 'interrupted' ? timedOut(run, answer) : answer;
      const reply = await image
        .request(run.op, run.fields, run.readsOnly ? { changes: false } : {})
        .then((answer) => {
          run.answered?.(answer);
          return told(answer);
        })
        .catch(async (error: unknown) => run.lost(await this.#whyLost(image, error)));
      limit.pause();
      if (reply.outputUnread) await pipesRead();
      if (!this.#underway.get(run.evaluation)?.endsImage) return reply;
      await ended(image);
      return reply.condition?.type === 'EXIT'
        ? {
            ...reply,
            condition: { ...reply.condition, message: `${reply.condition.message} ${this.#whatComesBack(image)}` },
          }
        : reply;
    } finally {
      release();
    }
  }

  async #whyLost(image: LispImage, error: unknown): Promise<string> {
    if (image.alive) return messageOf(error);
    return `${describeEnd(await image.lifeOver)} ${this.#whatComesBack(image)}`;
  }

  #whatComesBack(image: LispImage): string {
    const { redone } = this.#supervisor;
    if (!image.hasCheckpoint || redone === null)
      return 'A fresh image replaces it, without the definitions and systems of the old image.';
    if (redone === 0) return 'The image returns to its last checkpoint; everything since then is undone.';
    const evaluations = redone === 1 ? 'the evaluation after that is' : `the ${redone} evaluations after that are`;
    return `The image returns to its last checkpoint, and ${evaluations} repeated; everything else since then is undone.`;
  }
}

/** Returns the answer to an operation that left the queue before its turn: nothing of it ran, and the image is alive. */
function notEvaluated<Name extends WorkerOperation>({ lost }: Run<Name>, why: string): OperationReply<Name> {
  const reply = lost(why);
  const { condition } = reply;
  return { ...reply, status: 'interrupted', condition: condition && { ...condition, type: NOT_EVALUATED } };
}

/** Returns true if a signal fired because a time limit was exceeded, not because the caller stopped waiting. */
function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

/** Returns the answer to an operation that its time limit ended, with the limit as its condition. */
function timedOut<Name extends WorkerOperation>(
  { seconds, lost }: Run<Name>,
  answer: OperationReply<Name>,
): OperationReply<Name> {
  const { condition } = lost(`It was stopped after ${seconds} seconds, the limit of this session.`);
  const frames = answer.condition?.frames ?? [];
  return { ...answer, condition: condition && { ...condition, type: 'LISP-WORKBENCH:TIME-LIMIT', frames } };
}

/** Returns true if the condition already contains what SBCL's runtime has just reported in detail. */
function describesEnd({ status, condition }: OperationReply<WorkerOperation>): boolean {
  return status === 'lost' || (condition?.type.includes('EXHAUSTED') ?? false);
}

/**
 * Resolves when the output that the process printed before its reply has been read: its pipes may be polled one turn later than the wire.
 */
async function pipesRead(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await setImmediate();
}

/**
 * Interrupts an evaluation that waits in a debugger. If code is running in the debugger, that code ends and the debugger remains; otherwise
 * the evaluation ends. Returns false if neither has happened in time.
 */
async function interruptInDebugger(
  image: LispImage,
  evaluation: string,
  debuggerId: string,
  finished: Promise<void>,
): Promise<boolean> {
  const request = async (): Promise<void> => {
    await image.request('interrupt', { evaluation });
    // The thread in the debugger answers this request once it is free, or at once if it has left the debugger.
    await image.request('debugger', { debugger: debuggerId });
  };
  const heard = request().catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), FREE_MS);
  });
  const inTime = await Promise.race([heard.then(() => true), finished.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}

async function ended(image: LispImage): Promise<void> {
  const late = setTimeout(() => image.endLife(endReasons.notExited), EXIT_MS);
  await image.lifeOver;
  clearTimeout(late);
}
