/**
 * The console of a REPL that reads and writes a pair of streams, such as the pipes of a program that controls the REPL. It has no echo and
 * no colours.
 */
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { CODE_LIMIT } from '#contract/limits.ts';
import type { LineRequest, ReplConsole } from './repl-console.ts';

export interface PipeConsoleOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** The stream for text that code writes to its standard error; `output` if omitted. */
  readonly error?: Writable;
  /** Removes control sequences from text of the image. Used if the output is a terminal. */
  readonly shown?: (text: string) => string;
}

/** The maximum number of characters that may be waiting to be read. If there are more, the input is paused. */
const MOST_WAITING = 1_000_000;

export class PipeConsole implements ReplConsole {
  readonly isTerminal = false;
  readonly #options: PipeConsoleOptions;
  readonly #decoder = new StringDecoder('utf8');
  /** Complete lines that have not been read yet. */
  #lines: string[] = [];
  #rest = '';
  #waiting = 0;
  /** True while the rest of a line that is too long is being skipped. */
  #skips = false;
  #ended = false;
  #reader: { readonly resolve: (line: string | null) => void } | null = null;
  #written = '';

  constructor(options: PipeConsoleOptions) {
    this.#options = options;
    const { input } = options;
    input.on('data', (chunk: Buffer | string) =>
      this.#take(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk)),
    );
    const end = (): void => this.#end();
    input.once('end', end);
    input.once('close', end);
    input.once('error', end);
  }

  get errorsApart(): boolean {
    return this.#options.error !== undefined;
  }

  get hasLine(): boolean {
    return this.#lines.length > 0;
  }

  readLine({ prompt, fresh }: LineRequest, signal: AbortSignal): Promise<string | null> {
    if (fresh) this.#put(prompt);
    this.#send();
    const line = this.#next();
    if (line !== undefined) return Promise.resolve(line);
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#reader = null;
        reject(new Error('called off'));
      };
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop, { once: true });
      this.#reader = {
        resolve: (read) => {
          signal.removeEventListener('abort', stop);
          this.#reader = null;
          resolve(read);
        },
      };
    });
  }

  write(text: string): void {
    this.#put(this.#shown(text));
  }

  #shown(text: string): string {
    const { shown } = this.#options;
    return shown ? shown(text) : text;
  }

  #put(text: string): void {
    if (text === '') return;
    // Text that is written together, such as values and the prompt after them, is also sent together. Programs look for the prompt at the
    // end of a chunk.
    if (this.#written === '') setImmediate(() => this.#send());
    this.#written += text;
  }

  writeOutput(text: string, stream: 'stdout' | 'stderr'): void {
    const { error } = this.#options;
    if (stream === 'stdout' || !error) return this.write(text);
    this.#send();
    error.write(this.#shown(text));
  }

  flush(): Promise<void> {
    this.#send();
    const { output } = this.#options;
    return new Promise((resolve) => {
      output.write('', () => resolve());
    });
  }

  /** Discards the lines that are waiting to be read. */
  forget(): void {
    this.#lines = [];
    this.#rest = '';
    this.#waiting = 0;
    this.#options.input.resume();
  }

  #send(): void {
    const text = this.#written;
    this.#written = '';
    if (text !== '') this.#options.output.write(text);
  }

  #next(): string | null | undefined {
    const line = this.#lines.shift();
    if (line === undefined) return this.#ended ? null : undefined;
    this.#waiting -= line.length;
    if (this.#waiting < MOST_WAITING) this.#options.input.resume();
    return line;
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop()!;
    if (this.#skips && lines.length > 0) {
      lines.shift();
      this.#skips = false;
    }
    if (this.#rest.length > CODE_LIMIT) {
      // The line is longer than any code. Only one character more than the limit is passed on, which is enough for the line to be refused.
      if (!this.#skips) lines.push(this.#rest.slice(0, CODE_LIMIT + 1));
      this.#skips = true;
    }
    if (this.#skips) this.#rest = '';
    for (const line of lines) this.#add(line.endsWith('\r') ? line.slice(0, -1) : line);
    if (this.#waiting >= MOST_WAITING) this.#options.input.pause();
  }

  #add(line: string): void {
    if (this.#reader) return this.#reader.resolve(line);
    this.#lines.push(line);
    this.#waiting += line.length + 1;
  }

  #end(): void {
    if (this.#ended) return;
    const last = this.#rest + this.#decoder.end();
    this.#rest = '';
    if (last !== '') this.#add(last);
    this.#ended = true;
    if (this.#lines.length === 0) this.#reader?.resolve(null);
  }
}
