/** A request for a line from the console of a line REPL, which is a pipe, a terminal or a telnet connection. */

export interface LineRequest {
  /** The prompt; empty within an incomplete form, or if code in the image has written its own prompt. */
  readonly prompt: string;
  /** False if the prompt is already visible and no output came after it. */
  readonly fresh: boolean;
  /**
   * `form` is Lisp text, which is completed and may have several lines; `line` is a line that code reads; `command` is a debugger command
   * or Lisp text.
   */
  readonly reads: 'form' | 'line' | 'command';
  /** The text of the form's earlier lines. */
  readonly begun: string;
}

/** The kind of text that the REPL itself writes, for a terminal with colours: a value, a notice, or an error. */
export type ReplLook = 'plain' | 'notice' | 'trouble';

export interface ReplConsole {
  /**
   * Resolves with the next line without its line end, or with several lines as one text; null at the end of the input. Rejects when
   * `signal` fires. A line that arrives after that is the result of the next call.
   */
  readLine(request: LineRequest, signal: AbortSignal): Promise<string | null>;
  /** True if text that code writes to its standard error is written to a separate stream. */
  readonly errorsApart: boolean;
  /** True if the next line can be read without waiting. */
  readonly hasLine: boolean;
  /** Writes text that the REPL itself produces. */
  write(text: string, look?: ReplLook): void;
  /** Writes output of code in the image. */
  writeOutput(text: string, stream: 'stdout' | 'stderr'): void;
  /** Resolves when all written text has been sent. */
  flush(): Promise<void>;
  /** True for a terminal. On a terminal, a key ends the input, and text that is written during input appears above the prompt. */
  readonly isTerminal: boolean;
}
