/** The text that a line REPL writes, with the column it has come to: SBCL's REPL begins a fresh line where it needs one. */
import type { ReplConsole, ReplLook } from './repl-console.ts';

export class ReplWriter {
  readonly #console: ReplConsole;
  /** Characters behind the last line end. */
  #column = 0;
  /** True while the prompt is the last that was written. */
  #prompted = false;

  constructor(console: ReplConsole) {
    this.#console = console;
  }

  /** True where nothing was written since the prompt. */
  get prompted(): boolean {
    return this.#prompted;
  }

  /** Writes what code printed, or what SBCL would write to its standard error. */
  print(text: string, stream: 'stdout' | 'stderr'): void {
    this.#console.writeOutput(text, stream);
    if (stream === 'stderr' && this.#console.errorsApart) return;
    this.#prompted = false;
    this.#moved(text);
  }

  /** Writes a text of the REPL on a line of its own. */
  say(text: string, look: ReplLook = 'plain'): void {
    this.#freshLine();
    this.#prompted = false;
    this.#console.write(text, look);
    this.#moved(text);
  }

  /** Writes warnings on a line of their own, where SBCL writes them. */
  warn(text: string): void {
    if (text !== '') this.print(this.#column === 0 || this.#console.errorsApart ? text : `\n${text}`, 'stderr');
  }

  /** The console is about to show a prompt. */
  prompt(prompt: string): void {
    if (!this.#prompted && prompt !== '') this.#freshLine();
    // At a terminal the prompt makes room for what is written before the line comes.
    if (!this.#prompted && !this.#console.isTerminal) this.#column += prompt.length;
    this.#prompted = true;
  }

  /** Whatever stands there counts as a prompt: code has written its own. */
  takeAsPrompt(): void {
    this.#prompted = true;
  }

  /** A line was read: its end is where the next text begins. */
  lineRead(): void {
    this.#column = 0;
  }

  /** The line that was read is being worked on: the next prompt is a new one. */
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
