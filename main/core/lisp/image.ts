/**
 * One SBCL image and the wire to it. If its process ends or is killed, the process of a checkpoint can be woken. That process then
 * continues as the image on the same wire. Without a checkpoint the image is over. `lifecycle.ts` decides what each event means; the host
 * (`image-host.ts`) manages the processes.
 */
import type { OutputStream } from '#contract/image/evaluation.ts';
import { Emitter } from '#core/base/emitter.ts';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import { Copies } from './copies.ts';
import { encodeFrame, FrameDecoder, wakeMark, type Mark } from './frame.ts';
import { describeEnd, endError, endReasons, type ImageEnd } from './image-end.ts';
import type { HostListener, ImageHost, LibrariesThere, StartedProcess } from './image-host.ts';
import { livePid, started, transition, type Effect, type Lifecycle, type StateEvent } from './lifecycle.ts';
import {
  imageEvent,
  mayChange,
  type ImageEvent,
  type Operation,
  type OperationReply,
  type OperationRequest,
} from './messages.ts';
import { PendingRequests } from './pending-requests.ts';
import { exitAsShell } from './process.ts';

interface ImageEvents {
  event: ImageEvent;
  /** Text that user code or the runtime wrote to file descriptors 1 and 2. */
  'process-output': { stream: OutputStream; text: string };
  /** The live process has ended, but there are checkpoints. The listener must `wake` one of them or `kill` the image. */
  'life-over': ImageEnd;
  end: ImageEnd;
}

/** The first event of a woken checkpoint. */
export type Woken = Extract<ImageEvent, { event: 'woken' }>;

const READY_LIMIT_MS = 60_000;
/**
 * How often, in milliseconds, to check whether the live process is still running. The checks are necessary because the checkpoint's process
 * that would report its end may have been killed.
 */
const LOOK_MS = 500;
/**
 * The maximum number of stored characters of the latest output. This includes the backtrace that SBCL's runtime prints after the reason of
 * a crash.
 */
const LAST_WORDS = 10_000;
/** The maximum number of output pieces that are stored until the image is ready. */
const MOST_EARLY = 100;

export class LispImage {
  readonly events = new Emitter<ImageEvents>();
  readonly ready: Promise<Extract<ImageEvent, { event: 'ready' }>>;
  readonly ended: Promise<ImageEnd>;
  readonly #host: ImageHost;
  readonly #process: StartedProcess;
  readonly #requests = new PendingRequests();
  readonly #copies = new Copies((pid) => this.#signal(pid));
  #state: Lifecycle;
  #changes = 0;
  #lastWords = '';
  /** The output from before the image is ready; null from then on. */
  #early: ImageEvents['process-output'][] | null = [];
  #lifeOver = Promise.withResolvers<ImageEnd>();
  #fault: Error | null = null;
  #looking: NodeJS.Timeout | null = null;

  /** Starts an image on `host`, which serves only this image. */
  constructor(host: ImageHost) {
    this.#host = host;
    this.#process = host.start(this.#listener());
    this.#state = started(this.#process.pid, this.#process.named);
    this.ended = new Promise((resolve) => this.events.on('end', resolve));
    this.ready = this.#watchReady();
    this.ready.catch(() => {}); // an error is reported to the code that starts the image; it is not an unhandled rejection
    this.#process.input.on('error', () => {}); // ignored: the end of the process is reported anyway
    this.#readFrames();
  }

  get pid(): number | null {
    return livePid(this.#state);
  }

  /** The name of the target on which the image runs; null for this machine. */
  get target(): string | null {
    return this.#host.target;
  }

  /** Where the core puts libraries for the image on its target; null on this machine. */
  get librariesThere(): LibrariesThere | null {
    return this.#host.libraries;
  }

  /** The reason why the system could not start a process at all; null if it could. */
  get fault(): Error | null {
    return this.#fault;
  }

  /** True while a process is running as the image. */
  get alive(): boolean {
    return this.pid !== null;
  }

  /** True if the live process has reported that it is about to end, which means that new requests would be lost. */
  get exiting(): boolean {
    return 'life' in this.#state && this.#state.life?.exiting === true;
  }

  /** The number of requests that may have changed the image. Changes that the image makes without a request are not counted. */
  get changes(): number {
    return this.#changes;
  }

  /** True if there is a checkpoint that can be restored, or one that is about to continue. */
  get hasCheckpoint(): boolean {
    return this.#copies.size > 0 || ['awaiting-exit', 'between', 'waking'].includes(this.#state.at);
  }

  /** Returns true if the checkpoint's process exists and can be woken. */
  holds(copy: number): boolean {
    return this.#copies.has(copy) && this.#process.pids.owns(copy) && this.#host.runs(copy);
  }

  /** Resolves with the end of the image's current process, whether or not a checkpoint continues afterwards. */
  get lifeOver(): Promise<ImageEnd> {
    return this.#lifeOver.promise;
  }

  /**
   * Sends a request to the image and resolves with the answer. `changes` is false for a request that certainly changes nothing.
   * @throws WorkbenchError `no-image` if the process ends first; `unsupported` if this SBCL lacks a required feature; `refused` and
   * `not-found` with a sentence for the person; `wire` for other failures of the engine.
   */
  request<Name extends Operation>(
    op: Name,
    fields: OperationRequest<Name>,
    { changes = mayChange(op) } = {},
  ): Promise<OperationReply<Name>> {
    if (this.#state.at === 'over') return Promise.reject(endError(this.#state.end));
    if (!this.alive) return Promise.reject(new WorkbenchError('no-image', 'The image is going back to a checkpoint.'));
    return this.#requests.add(op, (id) => {
      const sent = this.#host.outgoing(op, fields);
      if (changes) this.#changes += 1;
      this.#process.input.write(encodeFrame({ id, op, ...sent }));
    });
  }

  /**
   * Creates a checkpoint by forking the image; the forked process is frozen. `idle` is true if no action is waiting for the checkpoint.
   * @returns its pid, or the reason why no checkpoint is possible now.
   */
  async checkpoint(idle = false): Promise<{ pid: number } | { reason: string }> {
    const { pid, reason } = await this.request('checkpoint', { idle });
    if (pid === null) return { reason: reason ?? 'The checkpoint could not be created.' };
    const copy = this.#process.pids.hostPid(pid);
    this.#copied(copy);
    return { pid: copy };
  }

  /** True while the live process is stopped by a signal. It does not answer until it is continued. */
  get stopped(): boolean {
    return this.pid !== null && this.#host.isStopped(this.pid);
  }

  /** Discards a checkpoint. */
  drop(copy: number): void {
    this.#copies.drop(copy);
  }

  /** Ends the process that writes a saved image, because the saved image is no longer wanted. */
  stopSaving(saver: number): void {
    this.#signal(saver);
  }

  /**
   * Pauses reading frames until the returned function is called. Code that prints is blocked once the pipe and the engine's queue are full.
   */
  hold(): () => void {
    this.#process.output?.pause();
    return () => void this.#process.output?.resume();
  }

  /**
   * Ends the live process so that a checkpoint can continue; without checkpoints, works like `kill`. `reason` is shown to the person. If
   * there turns out to be no checkpoint left, `withoutCopies` is shown instead.
   */
  endLife(reason: string, withoutCopies = reason): void {
    this.#take({ on: 'end-life', reason, withoutCopies });
  }

  /**
   * Makes a checkpoint continue as the image. Only valid after the live process has ended.
   * @throws WorkbenchError `no-image` if the checkpoint does not answer; the image is then killed.
   */
  async wake(copy: number): Promise<Woken> {
    if (this.#state.at === 'living')
      throw new WorkbenchError('no-image', 'The image is already running, so a checkpoint cannot continue.');
    const woken = this.#firstEvent();
    const late = setTimeout(
      () => this.#take({ on: 'wake-late', copy, runs: this.#host.runs(copy) }),
      this.#host.wakeLimitMs,
    );
    try {
      this.#take({ on: 'wake', copy, runs: this.#copies.take(copy) && this.#host.runs(copy) });
      return await woken;
    } finally {
      clearTimeout(late);
    }
  }

  /** Immediately ends the image, its checkpoints and its process group. `reason` is shown to the person. */
  kill(reason: string): void {
    this.#take({ on: 'kill', reason });
  }

  /** Returns the id that a process has in the image's own system. */
  shownPid(pid: number): number {
    return this.#host.shownPid(pid);
  }

  #take(event: StateEvent): void {
    const around = { copies: this.#copies.size, lastWords: this.#lastWords.trim() };
    const { state, effects } = transition(this.#state, event, around);
    this.#state = state;
    for (const effect of effects) this.#carryOut(effect);
  }

  #carryOut(effect: Effect): void {
    switch (effect.do) {
      case 'end-process':
        this.#signal(effect.pid);
        break;
      case 'adopt-copy':
        this.#copied(effect.pid);
        this.drop(effect.pid);
        break;
      case 'wake':
        if (this.#signal(effect.copy, 'SIGUSR1'))
          this.#process.input.write(wakeMark(this.#process.pids.imagePid(effect.copy)));
        else this.#take({ on: 'signal-failed', pid: effect.copy });
        break;
      case 'end-all': {
        const own = this.#ownPids(effect.live);
        this.#copies.clear();
        this.#host.end(own);
        break;
      }
      case 'close-soon':
        this.#host.closeSoon();
        break;
      case 'begin-life':
        this.#lifeOver = Promise.withResolvers();
        break;
      case 'report-life-over':
        this.#lastWords = '';
        this.#report('life-over', effect.end);
        break;
      case 'report-over':
        this.#host.dispose(this.#ownPids(effect.live));
        this.#copies.clear();
        if (this.#looking) clearInterval(this.#looking);
        this.#report('end', effect.end);
        break;
    }
  }

  #report(event: 'life-over' | 'end', end: ImageEnd): void {
    this.#requests.refuse(new WorkbenchError('no-image', describeEnd(end)));
    this.#lifeOver.resolve(end);
    this.events.emit(event, end);
  }

  #ownPids(live: number | null): number[] {
    return [...this.#copies.all, ...(live ? [live] : [])];
  }

  #listener(): HostListener {
    return {
      wrote: (stream, text) => {
        this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS);
        if (this.#early === null) this.events.emit('process-output', { stream, text });
        else if (this.#early.length < MOST_EARLY) this.#early.push({ stream, text });
      },
      startFailed: (reason, error) => {
        this.#fault ??= error;
        this.#take({ on: 'start-failed', reason });
      },
      exited: (exit) => this.#take({ on: 'exited', exit }),
      closed: (exit) => this.#take({ on: 'closed', exit, lost: this.#host.lost(this.#lastWords.trim()) }),
      problem: (words) => this.kill(words),
    };
  }

  #readFrames(): void {
    const decoder = new FrameDecoder();
    this.#process.output?.on('data', (chunk: Buffer) => {
      try {
        const { messages, marks } = decoder.push(chunk);
        for (const message of messages) this.#receive(message as Record<string, unknown>);
        for (const mark of marks) this.#marked(mark);
      } catch (error) {
        this.kill(messageOf(error));
      }
    });
  }

  /** Sends a signal to a process of the image. Returns false if the process no longer exists or does not belong to the image. */
  #signal(pid: number, signal: NodeJS.Signals = 'SIGKILL'): boolean {
    return this.#host.signal(pid, signal, () => {
      this.#take({ on: 'signal-failed', pid });
      this.#copies.take(pid);
    });
  }

  #copied(pid: number): void {
    this.#copies.add(pid);
    this.#looking ??= this.#look();
  }

  #look(): NodeJS.Timeout {
    let missed: number | null = null;
    return setInterval(() => {
      const { pid } = this;
      const gone = pid !== null && !this.#host.runs(pid);
      if (gone && missed === pid) this.#take({ on: 'vanished' }); // delayed, because a checkpoint's process may be about to report the end
      missed = gone ? pid : null;
    }, LOOK_MS).unref();
  }

  #firstEvent(): Promise<Woken> {
    return new Promise((resolve, reject) => {
      const stop = this.events.on('event', (event) => {
        if (event.event !== 'woken') return;
        stop();
        this.#copied(event.copy);
        resolve(event);
      });
      void this.ended.then((ended) => reject(endError(ended)));
    });
  }

  /** Handles a mark. Code in the image can write marks too, so a mark is accepted only from a process that can send it. */
  #marked({ mark, pid: reported }: Mark): void {
    if (mark === 'exited' || mark === 'closed') return this.#host.reported(mark, reported);
    if (mark === 'killed') return this.#take({ on: 'signalled', exit: exitAsShell(128 + reported) });
    const pid = this.#process.pids.hostPid(reported);
    if (mark === 'live') this.#take({ on: 'live', pid });
    else if (this.#process.pids.owns(pid)) this.#take({ on: 'end-reported', pid, known: this.#copies.has(pid) });
  }

  #receive(received: Record<string, unknown>): void {
    const message = this.#host.incoming(received);
    if (typeof message['event'] !== 'string') return this.#requests.answer(message);
    const event = this.#withPids(imageEvent.parse(message));
    if (event.event === 'exiting') this.#take({ on: 'exiting', exit: { code: event.code, signal: null } });
    if (event.event === 'ready') {
      this.#take({ on: 'named', pid: event.pid });
      this.#host.afterStart((ofImage) => this.#passEarly(ofImage));
    }
    this.events.emit('event', event);
  }

  /**
   * Emits the output from before the image was ready. This output was delayed because, if an image fails to start, the output explains the
   * failure.
   */
  #passEarly(ofImage: boolean): void {
    const early = this.#early ?? [];
    this.#early = null;
    if (ofImage) for (const chunk of early) this.events.emit('process-output', chunk);
    else if (early.length > 0) this.#lastWords = '';
  }

  #withPids(event: ImageEvent): ImageEvent {
    const { hostPid } = this.#process.pids;
    if (event.event === 'ready') return { ...event, pid: hostPid(event.pid) };
    return event.event === 'woken' ? { ...event, pid: hostPid(event.pid), copy: hostPid(event.copy) } : event;
  }

  #watchReady(): Promise<Extract<ImageEvent, { event: 'ready' }>> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.kill(endReasons.notReady), READY_LIMIT_MS);
      this.events.on('event', (event) => {
        if (event.event !== 'ready') return;
        clearTimeout(timer);
        resolve(event);
      });
      this.events.on('end', (end) => {
        clearTimeout(timer);
        reject(endError(end));
      });
    });
  }
}
