/**
 * One SBCL image and the wire to it. Its process ends by itself or is killed; where there are checkpoints, copies of the
 * process, one of them can be woken and goes on as the image on the same wire. Without any the image is over.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { Emitter } from '#core/emitter.ts';
import { messageOf, WorkbenchError } from '#core/error.ts';
import { encodeFrame, FrameDecoder, wakeMark, type Mark } from './frame.ts';
import {
  imageEvent,
  operations,
  type ImageEvent,
  type Operation,
  type OperationReply,
  type OperationRequest,
} from './messages.ts';
import { Copies } from './copies.ts';
import { describeEnd, endError, type ImageEnd } from './image-end.ts';
import { samePids, walledPids, type Pids } from './pids.ts';
import { end, launchOf, runs, signalIn, type ImageOptions } from './process.ts';

interface ImageEvents {
  event: ImageEvent;
  /** Text that user code or the runtime wrote to file descriptors 1 and 2. */
  'process-output': string;
  /** The live process ended and copies are left: somebody must `wake` one of them or `kill` the image. */
  'life-over': ImageEnd;
  end: ImageEnd;
}

/** What a woken copy says first. */
export type Woken = Extract<ImageEvent, { event: 'woken' }>;

interface Pending {
  readonly op: Operation;
  readonly resolve: (reply: never) => void;
  readonly reject: (error: Error) => void;
}

const READY_LIMIT_MS = 60_000;
const WAKE_LIMIT_MS = 10_000;
/** How often we look ourselves whether the live process still runs: the copy that would tell may have been killed. */
const LOOK_MS = 500;
const LAST_WORDS = 4000;

export class LispImage {
  readonly events = new Emitter<ImageEvents>();
  readonly ready: Promise<Extract<ImageEvent, { event: 'ready' }>>;
  readonly ended: Promise<ImageEnd>;
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #lastWords = '';
  #reason: string | null = null;
  #over: ImageEnd | null = null;
  readonly #copies = new Copies();
  /** The process that is the image now; null between two lives. */
  #livePid: number | null;
  /** The process of the first life: our child, or where there is a wall what that started behind it. */
  #firstPid: number | null;
  readonly #walled: boolean;
  readonly #pids: Pids;
  #exit: Pick<ImageEnd, 'code' | 'signal'> | null = null;
  #lifeOver = Promise.withResolvers<ImageEnd>();
  #exiting = false;
  #looking: NodeJS.Timeout | null = null;

  constructor(options: ImageOptions) {
    const { command, args, environment } = launchOf(options);
    this.#child = spawn(command, args, {
      cwd: options.directory,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    this.#livePid = this.#child.pid ?? null;
    this.#firstPid = this.#livePid;
    this.#walled = Boolean(options.wall);
    this.#pids = this.#walled && this.#livePid !== null ? walledPids(this.#livePid) : samePids;
    this.ended = this.#watchEnd();
    this.ready = this.#watchReady();
    this.ready.catch(() => {}); // whoever starts the image awaits it; nobody else must
    this.#input = this.#child.stdio[3] as Writable;
    this.#input.on('error', () => {}); // a broken pipe is told by the end of the process
    this.#listen();
  }

  get pid(): number | null {
    return this.#livePid;
  }

  /** Whether a process is the image now. */
  get alive(): boolean {
    return this.#over === null && this.#livePid !== null;
  }

  /** The live process said that it is about to end: what is asked now would be lost. */
  get exiting(): boolean {
    return this.#exiting;
  }

  /** Whether there is a copy to go back to, or one just goes on. */
  get hasCheckpoint(): boolean {
    return this.#copies.size > 0 || (this.#livePid === null && this.#over === null);
  }

  /** Whether the copy is there and could be woken. */
  holds(copy: number): boolean {
    return this.#copies.has(copy) && runs(copy);
  }

  /** How the present life of the image ends, whether or not a copy goes on after it. */
  get lifeOver(): Promise<ImageEnd> {
    return this.#lifeOver.promise;
  }

  /**
   * Asks the image and waits for its answer.
   * @throws WorkbenchError `no-image` when the process ends first, `unsupported` when this SBCL lacks what the request needs,
   * `wire` when the engine could not serve it otherwise.
   */
  request<Name extends Operation>(op: Name, fields: OperationRequest<Name>): Promise<OperationReply<Name>> {
    if (this.#over) return Promise.reject(endError(this.#over));
    if (this.#livePid === null)
      return Promise.reject(new WorkbenchError('no-image', 'The image is going back to a checkpoint.'));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { op, resolve, reject });
      this.#input.write(encodeFrame({ id, op, ...fields }));
    });
  }

  /**
   * Copies the image; the copy freezes. `context` is the one that is about to evaluate, if any.
   * @returns its pid, or why it is not possible now.
   */
  async checkpoint(context: string | null = null): Promise<{ pid: number } | { reason: string }> {
    const { pid, reason } = await this.request('checkpoint', { context });
    if (pid === null) return { reason: reason ?? 'The image could not be copied.' };
    const copy = this.#pids.outer(pid);
    this.#copied(copy);
    return { pid: copy };
  }

  /** Lets a checkpoint go. */
  drop(copy: number): void {
    this.#copies.drop(copy);
  }

  /** Ends a copy that writes a world which nobody wants any more. */
  stopSaving(saver: number): void {
    if (runs(saver)) end(saver);
  }

  /** Ends the live process; copies are left. Without any this is `kill`. `reason` is what the person reads. */
  endLife(reason: string): void {
    if (this.#copies.size === 0 || this.#livePid === null) return this.kill(reason);
    this.#reason ??= reason;
    end(this.#livePid);
  }

  /**
   * Lets a copy go on as the image. Only between two lives.
   * @throws WorkbenchError `no-image` when the copy does not answer; the image is then killed.
   */
  async wake(copy: number): Promise<Woken> {
    const late = setTimeout(() => this.kill('The checkpoint did not wake up.'), WAKE_LIMIT_MS);
    try {
      const woken = this.#firstWords();
      if (!this.#copies.take(copy) || !runs(copy) || !end(copy, 'SIGUSR1')) this.kill('The checkpoint is gone.');
      else this.#input.write(wakeMark(this.#pids.told(copy)));
      return await woken;
    } finally {
      clearTimeout(late);
    }
  }

  /** Ends the image, its copies and everything in its group at once. `reason` is what the person reads. */
  kill(reason: string): void {
    if (this.#over) return;
    this.#reason ??= reason;
    this.#copies.clear();
    // Forked copies stay in the group that the first process leads.
    if (this.#child.pid === undefined || process.platform === 'win32' || !end(-this.#child.pid))
      this.#child.kill('SIGKILL');
  }

  #listen(): void {
    const decoder = new FrameDecoder();
    (this.#child.stdio[4] as Readable).on('data', (chunk: Buffer) => {
      try {
        const { messages, marks } = decoder.push(chunk);
        for (const message of messages) this.#receive(message as Record<string, unknown>);
        for (const { mark, pid } of marks) this.#marked({ mark, pid: this.#pids.outer(pid) });
      } catch (error) {
        this.kill(messageOf(error));
      }
    });
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS);
        this.events.emit('process-output', text);
      });
    }
  }

  #copied(pid: number): void {
    this.#copies.add(pid);
    this.#looking ??= this.#look();
  }

  #look(): NodeJS.Timeout {
    let missed: number | null = null;
    return setInterval(() => {
      const pid = this.#livePid;
      const gone = pid !== null && !runs(pid);
      if (gone && missed === pid) this.#endLife(); // not at once: the copy's word may be on its way
      missed = gone ? pid : null;
    }, LOOK_MS).unref();
  }

  #firstWords(): Promise<Woken> {
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

  #marked({ mark, pid }: Mark): void {
    if (mark === 'live') {
      this.#livePid = pid;
      this.#reason = null;
      this.#exit = null;
      this.#exiting = false;
      this.#lifeOver = Promise.withResolvers();
    } else if (this.#livePid !== null) {
      if (!this.#copies.has(pid) && !this.#adoptWatcher(pid)) return;
      const wasFirst = this.#livePid === this.#firstPid;
      this.#livePid = null;
      // Its exit is told by the kernel soon, if it was our child; later lives are nobody's children.
      if (wasFirst && this.#exit === null) this.#child.once('exit', () => this.#endLife());
      else this.#endLife();
    }
  }

  /** A copy that we never heard of, because the process ended before its answer came. False when no other is left. */
  #adoptWatcher(pid: number): boolean {
    if (this.#copies.size === 0) {
      end(pid);
      return false;
    }
    this.#copied(pid);
    this.drop(pid);
    return true;
  }

  #endLife(): void {
    this.#livePid = null;
    const { code, signal } = this.#exit ?? { code: null, signal: null };
    const over: ImageEnd = { code, signal, lastWords: this.#lastWords.trim(), reason: this.#reason };
    this.#lastWords = '';
    this.#reason = null;
    this.#refusePending(new WorkbenchError('no-image', describeEnd(over)));
    this.#lifeOver.resolve(over);
    this.events.emit('life-over', over);
  }

  #refusePending(error: WorkbenchError): void {
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
  }

  #receive(message: Record<string, unknown>): void {
    if (typeof message['event'] === 'string') {
      const event = this.#withPids(imageEvent.parse(message));
      if (event.event === 'exiting') this.#exiting = true;
      this.events.emit('event', event);
      return;
    }
    const pending = this.#pending.get(message['id'] as number);
    if (!pending) return;
    this.#pending.delete(message['id'] as number);
    if (message['ok'] !== undefined) {
      const reply = operations[pending.op].reply.safeParse(message['ok']);
      if (reply.success) pending.resolve(reply.data as never);
      else
        pending.reject(
          new WorkbenchError(
            'wire',
            `The image's answer to ${pending.op} has another shape than agreed: ${reply.error.message}`,
          ),
        );
    } else {
      const { type, message: text } = (message['error'] ?? {}) as { type?: string; message?: string };
      if (type === 'MISSING-INTERNAL') return pending.reject(new WorkbenchError('unsupported', text ?? ''));
      pending.reject(
        new WorkbenchError('wire', `The image could not serve ${pending.op}: ${type ?? 'error'}: ${text ?? ''}`, {
          cause: new Error(text),
        }),
      );
    }
  }

  #withPids(event: ImageEvent): ImageEvent {
    if (event.event === 'woken')
      return { ...event, pid: this.#pids.outer(event.pid), copy: this.#pids.outer(event.copy) };
    if (event.event !== 'ready' || !this.#walled) return event;
    const pid = this.#pids.outer(event.pid);
    // Only what is said first: what code wrote onto the wire later is not believed.
    if (this.#firstPid === this.#child.pid) this.#livePid = this.#firstPid = pid;
    return { ...event, pid };
  }

  #watchReady(): Promise<Extract<ImageEvent, { event: 'ready' }>> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.kill('The image did not come up within a minute.'), READY_LIMIT_MS);
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

  #watchEnd(): Promise<ImageEnd> {
    return new Promise((resolve) => {
      const settle = (exit: Pick<ImageEnd, 'code' | 'signal'>, reason: string | null): void => {
        if (this.#over) return;
        this.#over = { ...exit, lastWords: this.#lastWords.trim(), reason: this.#reason ?? reason };
        this.#livePid = null;
        this.#copies.clear();
        if (this.#looking) clearInterval(this.#looking);
        this.#refusePending(endError(this.#over));
        this.#lifeOver.resolve(this.#over);
        this.events.emit('end', this.#over);
        resolve(this.#over);
      };
      this.#child.on('error', (error) =>
        settle({ code: null, signal: null }, `SBCL could not be started: ${messageOf(error)}.`),
      );
      // `close` comes after the last octet of every pipe; a grandchild may hold one open, so `exit` sets a bound, unless
      // copies hold them.
      this.#child.on('exit', (code, signal) => {
        this.#exit = this.#exitOf(code, signal);
        if (this.#copies.size === 0) setTimeout(() => settle(this.#exitOf(code, signal), null), 500).unref();
      });
      this.#child.on('close', (code, signal) => settle(this.#exitOf(code, signal), null));
    });
  }

  #exitOf(code: number | null, signal: NodeJS.Signals | null): Pick<ImageEnd, 'code' | 'signal'> {
    const told = this.#walled ? signalIn(code) : null;
    return told === null ? { code, signal } : { code: null, signal: told };
  }
}
