/** An image on a target, as `LispImage` starts it and speaks with it. */
import type { Target } from '#contract/target.ts';
import type { Connected, Elsewhere } from '#core/lisp/elsewhere.ts';
import type { ImageMemory } from '#core/lisp/process.ts';
import { ConnectionFault } from '#core/lisp/start/start-fault.ts';
import { connect, nonce } from './connection.ts';
import { lossWords } from './faults.ts';
import type { PathTranslation } from './paths.ts';
import type { Prepared } from './preparation.ts';
import { TargetSignals } from './signals.ts';
import { startScript } from './start-script.ts';

export interface TargetImageOptions {
  readonly target: Target;
  readonly prepared: Prepared;
  /** The folder there in which it starts; null for the home folder. */
  readonly directory: string | null;
  readonly memory: ImageMemory;
  readonly environment: NodeJS.ProcessEnv;
  readonly paths: PathTranslation;
}

export class TargetImage implements Elsewhere {
  readonly #options: TargetImageOptions;
  readonly #signals: TargetSignals;
  #group = '0';
  #begun = false;
  /** The fault that kept the connection from beginning; null for none. */
  fault: ConnectionFault | null = null;

  constructor(options: TargetImageOptions) {
    this.#options = options;
    this.#signals = new TargetSignals(options.target, options.environment, () => this.#group);
  }

  /** True once the connection was made, and the script there had begun. */
  get began(): boolean {
    return this.#begun;
  }

  get name(): string {
    return this.#options.target.name;
  }

  connect(problem: (words: string) => void): Connected {
    const { target, prepared, directory, memory, environment } = this.#options;
    const mark = nonce();
    const script = startScript(mark, { sbcl: prepared.sbcl, core: prepared.core, directory, memory });
    const { launcher, input, output, first } = connect(target, mark, script, environment);
    const fail = (fault: ConnectionFault): void => {
      this.fault = fault;
      problem(fault.message);
    };
    first.then(
      (words) => {
        this.#begun = true;
        const [word, group] = words.split(' ');
        if (word === 'ready') this.#group = group ?? '0';
        else fail(new ConnectionFault(this.#words(word ?? ''), false));
      },
      (error: unknown) => error instanceof ConnectionFault && fail(error),
    );
    return { launcher, input, output };
  }

  outgoing(op: string, fields: object): object {
    return this.#options.paths.outgoing(op, fields);
  }

  incoming(message: Record<string, unknown>): Record<string, unknown> {
    return this.#options.paths.incoming(message);
  }

  signal(pid: number, signal: NodeJS.Signals, gone: () => void): void {
    this.#signals.send(pid, signal, gone);
  }

  lost(lastWords: string): string {
    return !this.#begun && this.fault ? this.fault.message : lossWords(this.#options.target, lastWords);
  }

  dispose(): void {
    this.#signals.dispose();
  }

  #words(word: string): string {
    const { target, directory, prepared } = this.#options;
    return word === 'no-folder'
      ? `The folder ${directory} is not on the target ${target.name} any more.`
      : `The engine's core is not on the target ${target.name} any more: ${prepared.core}. Start the image again, which builds it anew.`;
  }
}
