/** Where a line REPL reads its lines and writes its text: a pipe, a terminal or a telnet connection. */

export interface LineRequest {
  /** The prompt; empty within a form that is not whole, and where code of the image has written its own. */
  readonly prompt: string;
  /** False when the prompt is there already, and nothing was written since. */
  readonly fresh: boolean;
  /** `form`: Lisp text, which is completed and may go over several lines; `line`: a line that code reads; `command`: of the debugger, or Lisp text. */
  readonly reads: 'form' | 'line' | 'command';
  /** Text of earlier lines with which the form began. */
  readonly begun: string;
}

/** The kind of a text of the REPL itself, for a terminal with colours: a value, a word of the REPL's own, or an error. */
export type ReplLook = 'plain' | 'notice' | 'trouble';

export interface ReplConsole {
  /**
   * Resolves with the next line without its end, or with several as one text; null at the end of the input. Rejects when `signal` fires; a
   * line that comes later is that of the next call.
   */
  readLine(request: LineRequest, signal: AbortSignal): Promise<string | null>;
  /** True when what code writes to its standard error goes elsewhere than the rest. */
  readonly errorsApart: boolean;
  /** True when the next line is there at once. */
  readonly hasLine: boolean;
  /** Writes text of the REPL itself. */
  write(text: string, look?: ReplLook): void;
  /** Writes what code of the image printed. */
  writeOutput(text: string, stream: 'stdout' | 'stderr'): void;
  /** Resolves when everything is on its way that was written. */
  flush(): Promise<void>;
  /** True at a terminal: the end of the input is a key there, and the prompt makes room for text that is written while a line is awaited. */
  readonly isTerminal: boolean;
}
