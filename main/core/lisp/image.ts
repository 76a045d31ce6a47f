/** One SBCL process and the wire to it. It lives until it ends by itself or is killed; it is never started again. */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { Emitter } from '#core/emitter.ts';
import { messageOf, WorkbenchError } from '#core/error.ts';
import { encodeFrame, FrameDecoder } from './frame.ts';
import {
  imageEvent,
  operations,
  type ImageEvent,
  type Operation,
  type OperationReply,
  type OperationRequest,
} from './messages.ts';
import type { Runtime } from './runtime.ts';

export interface ImageOptions {
  readonly runtime: Runtime;
  /** Current directory of the image: the project's folder. */
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Size of the dynamic space in megabytes. */
  readonly heapMegabytes: number;
}

/** How a process ended, with the tail of what it wrote outside Lisp streams. */
export interface ImageEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly lastWords: string;
  /** Set when we ended it ourselves, or the wire broke. */
  readonly reason: string | null;
}

interface ImageEvents {
  event: ImageEvent;
  /** Text that user code or the runtime wrote to file descriptors 1 and 2. */
  'process-output': string;
  end: ImageEnd;
}

interface Pending {
  readonly op: Operation;
  readonly resolve: (reply: never) => void;
  readonly reject: (error: Error) => void;
}

const READY_LIMIT_MS = 60_000;
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

  constructor(options: ImageOptions) {
    this.#child = spawn(options.runtime.sbcl.path, commandLine(options), {
      cwd: options.directory,
      env: inheritable(options.environment),
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    this.ended = this.#watchEnd();
    this.ready = this.#watchReady();
    this.ready.catch(() => {}); // whoever starts the image awaits it; nobody else must
    this.#input = this.#child.stdio[3] as Writable;
    this.#input.on('error', () => {}); // a broken pipe is told by the end of the process
    this.#listen();
  }

  get pid(): number | null {
    return this.#child.pid ?? null;
  }

  get alive(): boolean {
    return this.#over === null;
  }

  /**
   * Asks the image and waits for its answer.
   * @throws WorkbenchError `no-image` when the process ends first, `wire` when the engine could not serve the request.
   */
  request<Name extends Operation>(op: Name, fields: OperationRequest<Name>): Promise<OperationReply<Name>> {
    if (this.#over) return Promise.reject(endError(this.#over));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { op, resolve, reject });
      this.#input.write(encodeFrame({ id, op, ...fields }));
    });
  }

  /** Ends the process and everything in its group at once. `reason` is what the person reads. */
  kill(reason: string): void {
    if (this.#over) return;
    this.#reason ??= reason;
    try {
      if (this.#child.pid === undefined || process.platform === 'win32') this.#child.kill('SIGKILL');
      else process.kill(-this.#child.pid, 'SIGKILL');
    } catch {
      this.#child.kill('SIGKILL');
    }
  }

  #listen(): void {
    const decoder = new FrameDecoder();
    (this.#child.stdio[4] as Readable).on('data', (chunk: Buffer) => {
      try {
        for (const message of decoder.push(chunk)) this.#receive(message as Record<string, unknown>);
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

  #receive(message: Record<string, unknown>): void {
    if (typeof message['event'] === 'string') {
      this.events.emit('event', imageEvent.parse(message));
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
      pending.reject(
        new WorkbenchError('wire', `The image could not serve ${pending.op}: ${type ?? 'error'}: ${text ?? ''}`),
      );
    }
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
      const settle = (code: number | null, signal: NodeJS.Signals | null, reason: string | null): void => {
        if (this.#over) return;
        this.#over = { code, signal, lastWords: this.#lastWords.trim(), reason: this.#reason ?? reason };
        const error = endError(this.#over);
        for (const pending of this.#pending.values()) pending.reject(error);
        this.#pending.clear();
        this.events.emit('end', this.#over);
        resolve(this.#over);
      };
      this.#child.on('error', (error) => settle(null, null, `SBCL could not be started: ${messageOf(error)}.`));
      // `close` comes after the last octet of every pipe; a grandchild may hold one open, so `exit` sets a bound.
      this.#child.on('exit', (code, signal) => setTimeout(() => settle(code, signal, null), 500).unref());
      this.#child.on('close', (code, signal) => settle(code, signal, null));
    });
  }
}

/** One sentence about how a process ended. */
export function describeEnd(end: ImageEnd): string {
  if (end.reason) return end.reason;
  if (/heap exhausted|GC invariant/i.test(end.lastWords)) return 'The image ran out of heap and ended.';
  if (end.signal) return `The image was ended by ${end.signal}.`;
  return `The image ended with exit code ${end.code ?? 'unknown'}.`;
}

function endError(end: ImageEnd): WorkbenchError {
  return new WorkbenchError('no-image', describeEnd(end));
}

function commandLine({ runtime, heapMegabytes }: ImageOptions): string[] {
  const space = ['--dynamic-space-size', `${heapMegabytes}MB`, '--control-stack-size', '16MB'];
  return ['--core', runtime.core, '--noinform', '--disable-ldb', ...space, '--end-runtime-options'];
}

const SECRET = /TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_?KEY|CREDENTIAL/i;

/** The environment that user code may see: no secrets, nothing of Electron or of the way this program was started. */
export function inheritable(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name]) => !SECRET.test(name) && !/^(ELECTRON_|npm_|NODE_OPTIONS$|LISP_WORKBENCH_CORE$|INIT_CWD$)/.test(name),
  );
  return Object.fromEntries(kept);
}
