/**
 * One SBCL image and the wire to it. Its process ends by itself or is killed; where there are checkpoints, copies of the
 * process, one of them can be woken and goes on as the image on the same wire. Without any the image is over.
 */
import type { ChildProcess } from 'node:child_process';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { OutputStream } from '#contract/image/evaluation.ts';
import { Emitter } from '#core/base/emitter.ts';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import { encodeFrame, FrameDecoder, wakeMark, type Mark } from './frame.ts';
import {
  imageEvent,
  mayChange,
  type ImageEvent,
  type Operation,
  type OperationReply,
  type OperationRequest,
} from './messages.ts';
import { startFault } from './start/start-fault.ts';
import { Copies } from './copies.ts';
import { PendingRequests } from './pending-requests.ts';
import { describeEnd, endError, type ImageEnd } from './image-end.ts';
import type { Elsewhere } from './elsewhere.ts';
import { foreignPids, groupPids, sandboxedPids, type Pids } from './pids.ts';
import { end, exitAsShell, isStopped, runs, signalIn, startHere, type ImageOptions } from './process.ts';

interface ImageEvents {
  event: ImageEvent;
  /** Text that user code or the runtime wrote to file descriptors 1 and 2. */
  'process-output': { stream: OutputStream; text: string };
  /** The live process ended and copies are left: somebody must `wake` one of them or `kill` the image. */
  'life-over': ImageEnd;
  end: ImageEnd;
}

/** The first event of a woken copy. */
export type Woken = Extract<ImageEvent, { event: 'woken' }>;

const READY_LIMIT_MS = 60_000;
const WAKE_LIMIT_MS = 10_000;
/** Milliseconds for the same where a connection to a target has to be made first. */
const FAR_WAKE_LIMIT_MS = 60_000;
/** Milliseconds that an image on a target has to end by itself, once its wire has ended, before it is ended by a signal. */
const FAR_END_MS = 3_000;
/** Milliseconds between looks whether the live process still runs: the copy that would tell of its end may have been killed. */
const LOOK_MS = 500;
/** Characters, with room for the backtrace that SBCL's runtime writes after the reason. */
const LAST_WORDS = 10_000;
/** Pieces of output that are kept until the image is ready. */
const MOST_EARLY = 100;

export class LispImage {
  readonly events = new Emitter<ImageEvents>();
  readonly ready: Promise<Extract<ImageEvent, { event: 'ready' }>>;
  readonly ended: Promise<ImageEnd>;
  readonly #child: ChildProcess;
  readonly #input: Writable;
  /** The octets that the image writes onto the wire; null where no process could be started. */
  readonly #output: Readable | null;
  readonly #elsewhere: Elsewhere | null;
  readonly #requests = new PendingRequests();
  #changes = 0;
  #lastWords = '';
  /** The output of the process before its image is ready; null from then on. */
  #early: ImageEvents['process-output'][] | null = [];
  #reason: string | null = null;
  /** The reason in its place should no copy be left that could go on. */
  #reasonWithoutCopies: string | null = null;
  #over: ImageEnd | null = null;
  /** The words about the end of the last life, should no copy go on after it. */
  #lifeEnded: string | null = null;
  readonly #copies: Copies;
  /** The copy that was told to go on as the image, until it says that it does. */
  #waking: number | null = null;
  /** The process that is the image now; null between two processes. */
  #livePid: number | null;
  /** The first process: our child, or what the sandbox's builder started in it. */
  #firstPid: number | null;
  readonly #sandboxed: boolean;
  readonly #pids: Pids;
  #exit: Pick<ImageEnd, 'code' | 'signal'> | null = null;
  /** The exit code or the signal by which the live process said that it ends. */
  #said: Pick<ImageEnd, 'code' | 'signal'> | null = null;
  #lifeOver = Promise.withResolvers<ImageEnd>();
  #exiting = false;
  #fault: Error | null = null;
  #looking: NodeJS.Timeout | null = null;
  /** The wire was closed in order: whatever ends afterwards is no lost connection. */
  #closed = false;
  /** The processes of an image on a target that is being ended; null while it is not. */
  #leaving: readonly number[] | null = null;
  /** The end of the first process was told by a copy, and its exit code is still awaited. */
  #awaitsExit = false;

  /** Starts an image on this machine, or elsewhere. */
  constructor(options: ImageOptions | { readonly elsewhere: Elsewhere }) {
    this.#elsewhere = 'elsewhere' in options ? options.elsewhere : null;
    const { launcher, input, output } =
      'elsewhere' in options ? options.elsewhere.connect((words) => this.kill(words)) : startHere(options);
    this.#child = launcher;
    this.#livePid = this.#child.pid ?? null;
    // The id of a launcher is none of the image's.
    if (this.#elsewhere && this.#livePid !== null) this.#livePid = 0;
    this.#firstPid = this.#livePid;
    this.#sandboxed = 'sandbox' in options && Boolean(options.sandbox);
    const leader = this.#livePid ?? 0;
    if (this.#elsewhere) this.#pids = foreignPids();
    else this.#pids = this.#sandboxed ? sandboxedPids(leader) : groupPids(leader);
    this.#copies = new Copies((pid) => this.#signal(pid));
    this.ended = this.#watchEnd();
    this.ready = this.#watchReady();
    this.ready.catch(() => {}); // whoever starts the image awaits it; nobody else must
    this.#input = input ?? new PassThrough().resume();
    this.#input.on('error', () => {}); // a broken pipe is told by the end of the process
    this.#output = output;
    if (output) this.#listen(output);
  }

  get pid(): number | null {
    return this.#livePid;
  }

  /** Name of the target that it runs on; null for this machine. */
  get target(): string | null {
    return this.#elsewhere?.name ?? null;
  }

  /** The reason why the system could not start a process at all; null when it could. */
  get fault(): Error | null {
    return this.#fault;
  }

  /** True while a process is the image. */
  get alive(): boolean {
    return this.#over === null && this.#livePid !== null;
  }

  /** The live process said that it is about to end: what is asked now would be lost. */
  get exiting(): boolean {
    return this.#exiting;
  }

  /** The number of requests that may have changed something in the image; changes that it makes by itself are not known. */
  get changes(): number {
    return this.#changes;
  }

  /** True when there is a copy to go back to, or one is just going on. */
  get hasCheckpoint(): boolean {
    return this.#copies.size > 0 || (this.#livePid === null && this.#over === null);
  }

  /** True when the copy is there and could be woken. */
  holds(copy: number): boolean {
    return this.#copies.has(copy) && this.#pids.owns(copy) && this.#runs(copy);
  }

  /** Resolves with the end of the image's present process, whether or not a copy goes on after it. */
  get lifeOver(): Promise<ImageEnd> {
    return this.#lifeOver.promise;
  }

  /**
   * Asks the image and waits for its answer. `changes` is false of a request that surely changes nothing.
   * @throws WorkbenchError `no-image` when the process ends first, `unsupported` when this SBCL lacks what the request needs, `refused` and
   * `not-found` with a sentence for the person, `wire` when the engine could not serve it otherwise.
   */
  request<Name extends Operation>(
    op: Name,
    fields: OperationRequest<Name>,
    { changes = mayChange(op) } = {},
  ): Promise<OperationReply<Name>> {
    if (this.#over) return Promise.reject(endError(this.#over));
    if (this.#livePid === null)
      return Promise.reject(new WorkbenchError('no-image', 'The image is going back to a checkpoint.'));
    return this.#requests.add(op, (id) => {
      const sent = this.#elsewhere?.outgoing(op, fields) ?? fields;
      if (changes) this.#changes += 1;
      this.#input.write(encodeFrame({ id, op, ...sent }));
    });
  }

  /**
   * Copies the image; the copy freezes. `idle` is true when nobody
   * waits for the copy.
   * @returns its pid, or why it is not possible now.
   */
  async checkpoint(idle = false): Promise<{ pid: number } | { reason: string }> {
    const { pid, reason } = await this.request('checkpoint', { idle });
    if (pid === null) return { reason: reason ?? 'The image could not be copied.' };
    const copy = this.#pids.outer(pid);
    this.#copied(copy);
    return { pid: copy };
  }

  /** True while the live process is stopped by a signal: it does not answer, and goes on once it is continued. */
  get stopped(): boolean {
    return this.#elsewhere === null && this.#livePid !== null && isStopped(this.#livePid);
  }

  /** Lets a checkpoint go. */
  drop(copy: number): void {
    this.#copies.drop(copy);
  }

  /** Ends a copy that writes a world which nobody wants any more. */
  stopSaving(saver: number): void {
    this.#signal(saver);
  }

  /** Reads no frames until the returned function is called. Code that prints waits once the pipe and the engine's queue are full. */
  hold(): () => void {
    this.#output?.pause();
    return () => void this.#output?.resume();
  }

  /**
   * Ends the live process; copies are left. Without any this is `kill`. `reason` is what the person reads, `withoutCopies` what they
   * read when it turns out that no copy is left.
   */
  endLife(reason: string, withoutCopies = reason): void {
    if (this.#copies.size === 0 || this.#livePid === null) return this.kill(withoutCopies);
    if (this.#reason === null) [this.#reason, this.#reasonWithoutCopies] = [reason, withoutCopies];
    this.#signal(this.#livePid);
  }

  /**
   * Lets a copy go on as the image. Only between two processes.
   * @throws WorkbenchError `no-image` when the copy does not answer; the image is then killed.
   */
  async wake(copy: number): Promise<Woken> {
    const limit = this.#elsewhere ? FAR_WAKE_LIMIT_MS : WAKE_LIMIT_MS;
    const late = setTimeout(
      () => this.kill(this.#runs(copy) ? 'The checkpoint did not wake up.' : this.#copyEnded()),
      limit,
    );
    try {
      const woken = this.#firstWords();
      this.#waking = copy;
      if (!this.#copies.take(copy) || !this.#runs(copy) || !this.#signal(copy, 'SIGUSR1')) this.kill(this.#copyEnded());
      else this.#input.write(wakeMark(this.#pids.told(copy)));
      return await woken;
    } finally {
      this.#waking = null;
      clearTimeout(late);
    }
  }

  /** Ends the image, its copies and everything in its group at once. `reason` is what the person reads. */
  kill(reason: string): void {
    if (this.#over) return;
    this.#reason ??= reason;
    if (this.#elsewhere) return this.#endElsewhere();
    this.#copies.clear();
    this.#killLauncher(); // forked copies stay in the group that the first process leads
  }

  /** The id of a process of the image as whoever looks at the image's own system finds it. */
  shownPid(pid: number): number {
    return this.#elsewhere ? this.#pids.told(pid) : pid;
  }

  /** The image and its copies end when the wire does; what does not is ended by a signal. */
  #endElsewhere(): void {
    this.#leaving = this.#ownPids();
    this.#copies.clear();
    this.#input.end();
    const late = setTimeout(() => {
      this.#endLeftOver();
      this.#killLauncher();
    }, FAR_END_MS);
    void this.ended.then(() => clearTimeout(late));
  }

  /** Ends what may be left on a target whose connection was lost: code that cannot be interrupted does not notice it. */
  #endLeftOver(): void {
    for (const pid of this.#leaving ?? this.#ownPids())
      this.#elsewhere?.signal(this.#pids.told(pid), 'SIGKILL', () => {});
  }

  #ownPids(): number[] {
    return [...this.#copies.all, ...(this.#livePid ? [this.#livePid] : [])];
  }

  #killLauncher(): void {
    if (this.#child.pid === undefined || process.platform === 'win32' || !end(-this.#child.pid))
      this.#child.kill('SIGKILL');
  }

  #listen(output: Readable): void {
    const decoder = new FrameDecoder();
    output.on('data', (chunk: Buffer) => {
      try {
        const { messages, marks } = decoder.push(chunk);
        for (const message of messages) this.#receive(message as Record<string, unknown>);
        for (const mark of marks) this.#marked(mark);
      } catch (error) {
        this.kill(messageOf(error));
      }
    });
    for (const stream of this.#elsewhere ? (['stderr'] as const) : (['stdout', 'stderr'] as const)) {
      this.#child[stream]!.setEncoding('utf8').on('data', (text: string) => {
        this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS);
        if (this.#early === null) this.events.emit('process-output', { stream, text });
        else if (this.#early.length < MOST_EARLY) this.#early.push({ stream, text });
      });
    }
  }

  /** Sends a signal to a process of the image. False when there is no such process any more, or none that is the image's own. */
  #signal(pid: number, signal: NodeJS.Signals = 'SIGKILL'): boolean {
    if (!this.#pids.owns(pid)) return false;
    if (this.#elsewhere === null) return end(pid, signal);
    this.#elsewhere.signal(this.#pids.told(pid), signal, () => {
      if (pid === this.#waking) this.kill(this.#copyEnded());
      this.#copies.take(pid);
    });
    return true;
  }

  /** A process on a target is taken to run until a signal to it finds none. */
  #runs(pid: number): boolean {
    return this.#elsewhere !== null || runs(pid);
  }

  #copied(pid: number): void {
    this.#copies.add(pid);
    this.#looking ??= this.#look();
  }

  #look(): NodeJS.Timeout {
    let missed: number | null = null;
    return setInterval(() => {
      const pid = this.#livePid;
      const gone = pid !== null && !this.#runs(pid);
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

  /** Believes a mark only from whom it can come: code in the image can write them, too. */
  #marked({ mark, pid: told }: Mark): void {
    if (mark === 'exited' || mark === 'closed') return this.#launcherSaid(mark, told);
    if (this.#leaving) return;
    if (mark === 'killed') {
      this.#said = exitAsShell(128 + told);
      return;
    }
    const pid = this.#pids.outer(told);
    if (mark === 'live') {
      if (this.#livePid !== null || pid !== this.#waking) return;
      this.#livePid = pid;
      this.#reason = this.#reasonWithoutCopies = null;
      this.#exit = this.#said = null;
      this.#exiting = false;
      this.#lifeOver = Promise.withResolvers();
    } else if (this.#livePid !== null) {
      if (pid === this.#livePid || !this.#pids.owns(pid)) return;
      if (!this.#copies.has(pid) && !this.#adoptWatcher(pid)) return;
      const wasFirst = this.#livePid === this.#firstPid;
      this.#signal(this.#livePid); // before a copy goes on: two that live would both read the wire
      this.#livePid = null;
      // Its exit is told by the kernel soon, if it was our child; later processes are nobody's children.
      if (wasFirst && this.#exit === null) this.#awaitsExit = true;
      else this.#endLife();
    }
  }

  #launcherSaid(mark: 'exited' | 'closed', code: number): void {
    if (this.#elsewhere === null) return;
    if (mark === 'closed') this.#closed = true;
    else this.#exited(exitAsShell(code));
  }

  #exited(exit: Pick<ImageEnd, 'code' | 'signal'>): void {
    this.#exit = exit;
    if (!this.#awaitsExit) return;
    this.#awaitsExit = false;
    this.#endLife();
  }

  /** A copy that we never heard of, because the process ended before its answer came. False when no other is left. */
  #adoptWatcher(pid: number): boolean {
    if (this.#copies.size === 0) {
      this.#signal(pid);
      return false;
    }
    this.#copied(pid);
    this.drop(pid);
    return true;
  }

  /** The words about a copy that cannot go on since its process has ended too: first those about the end that it was to make good. */
  #copyEnded(): string {
    return this.#lifeEnded ?? 'The process of the checkpoint was ended.';
  }

  #endLife(): void {
    this.#livePid = null;
    const { code, signal } = this.#exit ?? this.#said ?? { code: null, signal: null };
    const over: ImageEnd = { code, signal, lastWords: this.#lastWords.trim(), reason: this.#reason };
    this.#lastWords = '';
    this.#lifeEnded =
      this.#reasonWithoutCopies ??
      `${describeEnd(over)} The process of the checkpoint that was to go on was ended, too.`;
    this.#reason = this.#reasonWithoutCopies = null;
    this.#requests.refuse(new WorkbenchError('no-image', describeEnd(over)));
    this.#lifeOver.resolve(over);
    this.events.emit('life-over', over);
  }

  #receive(received: Record<string, unknown>): void {
    const message = this.#elsewhere?.incoming(received) ?? received;
    if (typeof message['event'] === 'string') {
      const event = this.#withPids(imageEvent.parse(message));
      if (event.event === 'exiting') {
        this.#exiting = true;
        this.#said = { code: event.code, signal: null };
      }
      if (event.event === 'ready') this.#tellEarly();
      this.events.emit('event', event);
      return;
    }
    this.#requests.answer(message);
  }

  /** The words of one that does not come up are its last ones. Elsewhere those before belong to ssh and login shells, not to the image. */
  #tellEarly(): void {
    const tell = (): void => {
      const early = this.#early ?? [];
      this.#early = null;
      if (this.#elsewhere === null) for (const chunk of early) this.events.emit('process-output', chunk);
      else if (early.length > 0) this.#lastWords = '';
    };
    if (this.#elsewhere === null) return tell();
    // They come by another pipe than what says that the image is ready: it is read once more.
    setImmediate(() => setImmediate(tell));
  }

  #withPids(event: ImageEvent): ImageEvent {
    if (event.event === 'woken')
      return { ...event, pid: this.#pids.outer(event.pid), copy: this.#pids.outer(event.copy) };
    if (event.event !== 'ready' || !(this.#sandboxed || this.#elsewhere)) return event;
    const pid = this.#pids.outer(event.pid);
    // Only what is said first: what code wrote onto the wire later is not believed.
    if (this.#firstPid === (this.#elsewhere ? 0 : this.#child.pid)) {
      this.#livePid = this.#firstPid = pid;
    }
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
        this.#over = {
          ...exit,
          lastWords: this.#lastWords.trim(),
          reason: this.#reasonWithoutCopies ?? this.#reason ?? reason ?? this.#lost(),
        };
        if (!this.#closed) this.#endLeftOver();
        this.#livePid = null;
        this.#elsewhere?.dispose();
        this.#copies.clear();
        if (this.#looking) clearInterval(this.#looking);
        this.#requests.refuse(endError(this.#over));
        this.#lifeOver.resolve(this.#over);
        this.events.emit('end', this.#over);
        resolve(this.#over);
      };
      this.#child.on('error', (error) => {
        if (this.#child.pid === undefined) this.#fault = error;
        settle(
          { code: null, signal: null },
          `${this.#elsewhere ? this.#child.spawnfile : 'SBCL'} could not be started: ${startFault(error)}.`,
        );
      });
      // `close` comes after the last octet of every pipe; a grandchild may hold one open, so `exit` sets a bound, unless
      // copies hold them.
      this.#child.on('exit', (code, signal) => {
        if (this.#elsewhere) {
          // A program that the launcher left behind, such as a shared connection of ssh, may hold its pipes.
          setTimeout(() => settle(this.#exitElsewhere({ code, signal }), null), 500).unref();
          return;
        }
        // What code started in the sandbox, in a session of its own, would keep the sandbox up.
        if (this.#sandboxed && this.#copies.size === 0) end(-this.#child.pid!);
        if (this.#copies.size === 0) setTimeout(() => settle(this.#exitOf(code, signal), null), 500).unref();
        this.#exited(this.#exitOf(code, signal)); // last: it may take the only copy
      });
      this.#child.on('close', (code, signal) =>
        settle(this.#elsewhere ? this.#exitElsewhere({ code, signal }) : this.#exitOf(code, signal), null),
      );
    });
  }

  /** The sentence about a connection that was lost; null where none was. */
  #lost(): string | null {
    return this.#elsewhere === null || this.#closed ? null : this.#elsewhere.lost(this.#lastWords.trim());
  }

  /** The exit code of a launcher whose script ran to its end says nothing about a copy that went on as the image and was killed. */
  #exitElsewhere(ofLauncher: Pick<ImageEnd, 'code' | 'signal'>): Pick<ImageEnd, 'code' | 'signal'> {
    return this.#exit ?? (this.#closed ? { code: null, signal: null } : ofLauncher);
  }

  #exitOf(code: number | null, signal: NodeJS.Signals | null): Pick<ImageEnd, 'code' | 'signal'> {
    const told = this.#sandboxed ? signalIn(code) : null;
    return told === null ? { code, signal } : { code: null, signal: told };
  }
}
