/** A terminal in which a person logs in to an agent's program. It is a pseudo-terminal created by SBCL; the panel shows its output. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import path from 'node:path';
import type { LoginTerminal as TerminalView } from '#contract/clients/hosted-agent.ts';
import { Emitter } from '#core/base/emitter.ts';
import { messageOf } from '#core/base/error.ts';
import type { Sbcl } from '#core/lisp/start/sbcl.ts';
import { endInWords, type ProcessLaunch } from '../process/agent-process.ts';

/** The SBCL that creates pseudo-terminals, and the folder with the engine's sources. */
export interface TerminalMaker {
  readonly sbcl: Pick<Sbcl, 'path' | 'shipped'>;
  readonly sources: string;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The maximum number of output characters that are stored for a panel that is opened later. */
const MOST_KEPT = 64 * 1024;
/** How long, in milliseconds, the program may take to end after its terminal was closed. */
const GRACE_MS = 1_000;

export class LoginTerminal {
  readonly events = new Emitter<{ changed: void }>();
  /** Resolves with null if the program succeeded; otherwise, with a description of how it ended: "exit code 1", "the signal SIGKILL". */
  readonly ended: Promise<string | null>;
  readonly #child: ChildProcessWithoutNullStreams;
  #text = '';
  #total = 0;
  #state: TerminalView['state'] = 'running';
  readonly #killAtExit = (): void => this.#signal('SIGKILL');

  constructor({ sbcl, sources }: TerminalMaker, launch: ProcessLaunch, { columns, rows }: TerminalSize) {
    const script = path.join(sources, 'terminal', 'pty.lisp');
    const { command, args, directory, environment: given } = launch;
    const environment = { ...given };
    // The variable may name the home of another SBCL, where the packaged SBCL would look for its core.
    if (sbcl.shipped) delete environment['SBCL_HOME'];
    this.#child = spawn(sbcl.path, ['--script', script, '--', `${columns}`, `${rows}`, command, ...args], {
      cwd: directory,
      env: { ...environment, TERM: 'xterm-256color' },
      detached: true,
      stdio: 'pipe',
    });
    this.#child.stdin.on('error', () => {}); // ignored: a program that has ended does not read its input
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => this.#write(text));
    process.once('exit', this.#killAtExit);
    this.ended = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null): void => {
        process.off('exit', this.#killAtExit);
        this.#signal('SIGKILL'); // also ends the program if the process that provides its terminal has ended first
        this.#state = 'ended';
        this.events.emit('changed', undefined);
        resolve(code === 0 ? null : endInWords(code, signal));
      };
      this.#child.once('close', end);
      this.#child.once('error', (error) => {
        this.#write(`${sbcl.path} does not run: ${messageOf(error)}\r\n`);
        end(127, null);
      });
    });
  }

  /** The latest output, and the length of the whole output. */
  get view(): Pick<TerminalView, 'text' | 'total' | 'state'> {
    return { text: this.#text, total: this.#total, state: this.#state };
  }

  /** Sends text to the terminal as typed input. */
  type(text: string): void {
    // The process that provides the terminal treats a zero octet as a change of the terminal's size. Logins do not need zero octets as
    // input.
    if (this.#state === 'running') this.#child.stdin.write(text.replaceAll('\0', ''));
  }

  resize({ columns, rows }: TerminalSize): void {
    if (this.#state === 'running')
      this.#child.stdin.write(Buffer.from([0, columns >> 8, columns & 255, rows >> 8, rows & 255]));
  }

  /** Closes the terminal. The program in it receives SIGHUP, and is killed if it does not exit. */
  async close(): Promise<void> {
    this.#signal('SIGHUP');
    const timer = setTimeout(() => this.#signal('SIGKILL'), GRACE_MS);
    await this.ended;
    clearTimeout(timer);
  }

  #write(text: string): void {
    this.#total += text.length;
    this.#text = (this.#text + text).slice(-MOST_KEPT);
    this.events.emit('changed', undefined);
  }

  #signal(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.#child.pid!, signal);
    } catch {
      // there is no process left in the group
    }
  }
}
