/** A request for a line from the console of a line REPL, which is a pipe, a terminal or a telnet connection. */

export interface LineRequest {
  /** The prompt; empty within an incomplete form, and if code of the image has written its own. */
  readonly prompt: string;
  /** False if the prompt is already shown, with no output after it. */
  readonly fresh: boolean;
  /**
   * `form`: Lisp text, which is completed and may have several lines; `line`: a line that code reads; `command`: a debugger command or Lisp
   * text.
   */
  readonly reads: 'form' | 'line' | 'command';
  /** Text of the earlier lines of the form. */
  readonly begun: string;
}

/** The kind of a text of the REPL itself, for a terminal with colours: a value, a notice of the REPL, or an error. */
export type ReplLook = 'plain' | 'notice' | 'trouble';

export interface ReplConsole {
  /**
   * Resolves with the next line without its line end, or with several lines as one text; null at the end of the input. Rejects when
   * `signal` fires; a line that arrives later belongs to the next call.
   */
  readLine(request: LineRequest, signal: AbortSignal): Promise<string | null>;
  /** True if text that code writes to its standard error goes to another stream. */
  readonly errorsApart: boolean;
  /** True if the next line is available at once. */
  readonly hasLine: boolean;
  /** Writes text of the REPL itself. */
  write(text: string, look?: ReplLook): void;
  /** Writes output of code of the image. */
  writeOutput(text: string, stream: 'stdout' | 'stderr'): void;
  /** Resolves when all written text has been sent. */
  flush(): Promise<void>;
  /** True for a terminal: there, the end of the input is a key, and text that is written during input appears above the prompt. */
  readonly isTerminal: boolean;
}
