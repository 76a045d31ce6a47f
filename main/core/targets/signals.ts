/**
 * Signals to the processes of an image on a target. They use a separate connection, which is opened for the first signal and stays open as
 * long as the image runs.
 */
import { createInterface } from 'node:readline';
import type { Target } from '#contract/target.ts';
import { connect, nonce, type Connection } from './connection.ts';
import { signalScript } from './start-script.ts';

interface Wanted {
  readonly pid: number;
  readonly signal: NodeJS.Signals;
  readonly gone: () => void;
}

export class TargetSignals {
  readonly #target: Target;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #group: () => string;
  #connection: Connection | null = null;
  /** Signals that were sent and not yet answered, oldest first. */
  #sent: Wanted[] = [];

  /** `group` returns the process group of the image on the target. */
  constructor(target: Target, environment: NodeJS.ProcessEnv, group: () => string) {
    this.#target = target;
    this.#environment = environment;
    this.#group = group;
  }

  /** Sends a signal, in the order of the calls. Calls `gone` if no process of the image has that id, or if the target is unreachable. */
  send(pid: number, signal: NodeJS.Signals, gone: () => void): void {
    this.#connection ??= this.#connect();
    this.#sent.push({ pid, signal, gone });
    this.#connection.input.write(`${signal.slice('SIG'.length)} ${pid}\n`);
  }

  /** Ends the connection once all sent signals have been answered. */
  dispose(): void {
    this.#connection?.input.end();
  }

  #connect(): Connection {
    const mark = nonce();
    const connection = connect(this.#target, mark, signalScript(mark, this.#group()), this.#environment);
    const ended = (): void => {
      if (this.#connection === connection) this.#connection = null;
      for (const { gone } of this.#sent.splice(0)) gone();
    };
    connection.first.catch(ended);
    createInterface({ input: connection.output, crlfDelay: Infinity })
      .on('line', (line) => {
        const [, word] = line.startsWith(mark) ? line.split(' ') : [];
        if (word === undefined) return;
        const answered = this.#sent.shift();
        if (word === 'gone') answered?.gone();
      })
      .on('close', ended);
    return connection;
  }
}
