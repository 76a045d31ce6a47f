/** The output of a line REPL. It tracks the current column so that it can begin a fresh line when needed, as SBCL's REPL does. */
import type { ReplConsole, ReplLook } from './repl-console.ts';

export class ReplWriter {
  readonly #console: ReplConsole;
  /** The number of characters after the last line end. */
  #column = 0;
  /** True while the prompt is the latest output. */
  #prompted = false;

  constructor(console: ReplConsole) {
    this.#console = console;
  }

  /** True if nothing was written since the prompt. */
  get prompted(): boolean {
    return this.#prompted;
  }

  /** Writes output of code, or text that SBCL would write to its own standard error. */
  print(text: string, stream: 'stdout' | 'stderr'): void {
    this.#console.writeOutput(text, stream);
    if (stream === 'stderr' && this.#console.errorsApart) return;
    this.#prompted = false;
    this.#moved(text);
  }

  /** Writes text of the REPL itself on its own line. */
  say(text: string, look: ReplLook = 'plain'): void {
    this.#freshLine();
    this.#prompted = false;
    this.#console.write(text, look);
    this.#moved(text);
  }

  /** Writes warnings on their own line, to the stream that SBCL uses for them. */
  warn(text: string): void {
    if (text !== '') this.print(this.#column === 0 || this.#console.errorsApart ? text : `\n${text}`, 'stderr');
  }

  /** Records that the console is about to show a prompt. */
  prompt(prompt: string): void {
    if (!this.#prompted && prompt !== '') this.#freshLine();
    // The prompt changes the column, except at a terminal, where output appears above the prompt.
    if (!this.#prompted && !this.#console.isTerminal) this.#column += prompt.length;
    this.#prompted = true;
  }

  /** Treats the text on the current line as a prompt, because code has written its own prompt. */
  takeAsPrompt(): void {
    this.#prompted = true;
  }

  /** Records that a line was read. The next text begins at the start of a line. */
  lineRead(): void {
    this.#column = 0;
  }

  /** Records that the line has been processed. The next prompt is a new one. */
  done(): void {
    this.#prompted = false;
  }

  #freshLine(): void {
    if (this.#column > 0) this.#console.write('\n');
    this.#column = 0;
  }

  #moved(text: string): void {
    const end = text.lastIndexOf('\n');
    this.#column = end < 0 ? this.#column + text.length : text.length - end - 1;
  }
}
