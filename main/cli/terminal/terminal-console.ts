/**
 * The console of the terminal REPL. Lines are edited as in a shell, with completion and history. Output appears above the text that is
 * being typed.
 */
import type { ReadStream, WriteStream } from 'node:tty';
import { scanOnly } from '#contract/sexp/reader.ts';
import type { LineRequest, ReplConsole, ReplLook } from '#core/transports/repl/repl-console.ts';
import { LineEditor, type Key } from './line-editor.ts';
import type { ReplHistory } from './repl-history.ts';
import { RawTerminal } from './raw-terminal.ts';
import { inColumns, layOut } from './terminal-drawing.ts';
import { RESET, TerminalOutput } from '#core/transports/repl/terminal-output.ts';

export interface Completion {
  /** The offset where the replaced text begins. */
  readonly from: number;
  readonly texts: readonly string[];
}

export interface TerminalConsoleOptions {
  readonly input: ReadStream;
  readonly output: WriteStream;
  readonly colours: boolean;
  readonly history: ReplHistory;
  readonly complete: (text: string, cursor: number) => Promise<Completion | null>;
  /** Ctrl-C. */
  readonly onInterrupt: () => void;
}

interface Reading {
  readonly request: LineRequest;
  readonly editor: LineEditor;
  readonly finish: (line: string | null) => void;
  /** The row of the cursor within the drawn text. */
  row: number;
  /** True if the last key was a Tab that did not list the completions; another Tab lists them. */
  tabbed: boolean;
}

const CLEAR_BELOW = '\u001B[J';
const CLEAR_SCREEN = '\u001B[2J\u001B[H';
/** Escape sequences that take no columns on the screen. */
const CONTROLS = new RegExp(
  String.raw`${String.fromCodePoint(0x1b)}\[[0-9;?:]*[A-Za-z]|${String.fromCodePoint(7)}`,
  'g',
);
const LOOKS: Readonly<Record<ReplLook, string>> = { plain: '', notice: '\u001B[2m', trouble: '\u001B[31m' };
const PROMPT = '\u001B[1m';
/** The maximum number of listed completions. */
const MOST_LISTED = 100;
/** The maximum number of keys buffered while no line is being read. */
const MOST_AHEAD = 10_000;

export class TerminalConsole implements ReplConsole {
  readonly isTerminal = true;
  readonly errorsApart = false;
  readonly hasLine = false;
  readonly #options: TerminalConsoleOptions;
  readonly #shown: TerminalOutput;
  readonly #terminal: RawTerminal;
  #reading: Reading | null = null;
  /** The unfinished text of a cancelled read; the next read continues with it. */
  #left: { text: string; cursor: number } | null = null;
  #ahead: [string | undefined, Key][] = [];
  #ended = false;
  /** The output on the cursor's row that has no line end yet, such as a prompt that the running code printed before it reads a line. */
  #tail = '';

  constructor(options: TerminalConsoleOptions) {
    this.#options = options;
    this.#shown = new TerminalOutput(options.colours);
    this.#terminal = new RawTerminal(options.input, options.output, {
      onKey: this.#keypress,
      onEnd: () => {
        this.#ended = true;
        this.#reading?.finish(null);
      },
      onRedraw: (afterPause) => {
        if (afterPause && this.#reading) this.#reading.row = 0;
        this.#draw();
      },
      onLeave: () => {
        if (this.#tail !== '') this.#put('\n');
      },
    });
  }

  readLine(request: LineRequest, signal: AbortSignal): Promise<string | null> {
    const { history } = this.#options;
    return new Promise((resolve, reject) => {
      if (this.#ended) return resolve(null);
      const editor = new LineEditor(request.reads === 'line' ? [] : history.entries, (text) => isWhole(request, text));
      if (this.#left) Object.assign(editor, this.#left);
      this.#left = null;
      const stop = (): void => {
        this.#left = { text: editor.text, cursor: editor.cursor };
        this.#erase();
        this.#reading = null;
        reject(new Error('called off'));
      };
      const finish = (line: string | null): void => {
        signal.removeEventListener('abort', stop);
        this.#reading = null;
        if (line !== null && request.reads !== 'line') history.add(line);
        resolve(line);
      };
      this.#put(this.#shown.settle());
      if (this.#tail !== '' && request.reads !== 'line') this.#put('\n');
      this.#reading = { request, editor, finish, row: 0, tabbed: false };
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop, { once: true });
      this.#draw();
      const ahead = this.#ahead;
      this.#ahead = [];
      for (const [character, key] of ahead) this.#keypress(character, key);
    });
  }

  write(text: string, look: ReplLook = 'plain'): void {
    const shown = this.#shown.settle() + this.#shown.shown(text) + this.#shown.settle();
    this.#above(this.#options.colours ? styled(shown, look) : shown);
  }

  writeOutput(text: string): void {
    this.#above(this.#shown.shown(text));
  }

  flush(): Promise<void> {
    return new Promise((resolve) => {
      this.#options.output.write(this.#shown.settle(), () => resolve());
    });
  }

  /** Discards the typed text, as Ctrl-C does. */
  forget(): void {
    this.#left = null;
    if (!this.#reading) return;
    const { editor } = this.#reading;
    editor.cursor = editor.text.length;
    this.#draw();
    this.#put('^C\n');
    this.#reading.row = 0;
    editor.text = '';
    editor.cursor = 0;
    this.#draw();
  }

  /** Restores the terminal. */
  close(): void {
    this.#terminal.close();
  }

  readonly #keypress = (character: string | undefined, key: Key): void => {
    const reading = this.#reading;
    if (!reading) {
      if (key.ctrl && key.name === 'c') {
        this.#ahead = [];
        this.#put('^C\n');
        this.#options.onInterrupt();
      } else if (key.ctrl && key.name === 'z') this.#suspend();
      else if (this.#ahead.length < MOST_AHEAD) this.#ahead.push([character, key]);
      return;
    }
    const { editor } = reading;
    const result = editor.key(character, key);
    if (result !== 'complete') reading.tabbed = false;
    switch (result) {
      case 'submit':
        return this.#submit(reading);
      case 'interrupt':
        return this.#interrupt(reading);
      case 'end':
        this.#erase();
        return reading.finish(null);
      case 'clear':
        this.#put(CLEAR_SCREEN);
        reading.row = 0;
        break;
      case 'suspend':
        return this.#suspend();
      case 'complete':
        return void this.#complete(reading);
      case 'bell':
        this.#put('\u0007');
        break;
      case null:
    }
    if (!editor.pasting) this.#draw();
  };

  #submit(reading: Reading): void {
    const { editor } = reading;
    editor.cursor = editor.text.length;
    this.#draw();
    this.#put('\n');
    reading.finish(editor.text);
  }

  #interrupt({ request }: Reading): void {
    this.forget();
    // If there are earlier lines of the same form, or code is reading a line, the REPL handles the interrupt.
    if (request.begun !== '' || request.reads === 'line') this.#options.onInterrupt();
  }

  #suspend(): void {
    this.#erase();
    this.#terminal.suspend();
  }

  async #complete(reading: Reading): Promise<void> {
    const { editor, request } = reading;
    const before = editor.text;
    const { cursor } = editor;
    const indents = /(?:^|\n)[ \t]*$/.test(before.slice(0, cursor));
    if (request.reads === 'line' || indents) {
      editor.insert('  ');
      return this.#draw();
    }
    const found = await this.#options.complete(before, cursor).catch(() => null);
    // The person kept typing, so the completions are out of date.
    if (this.#reading !== reading || editor.text !== before || editor.cursor !== cursor) return;
    const { texts = [], from = cursor } = found ?? {};
    const [only] = texts;
    if (only === undefined) return this.#put('\u0007');
    const common = texts.length === 1 ? only : commonPrefix(texts);
    const typed = before.slice(from, cursor);
    if (common.length > typed.length && common.toLowerCase().startsWith(typed.toLowerCase()))
      editor.replace(from, common);
    else if (texts.length === 1) editor.replace(from, only);
    else if (reading.tabbed) this.#list(texts);
    else {
      reading.tabbed = true;
      this.#put('\u0007');
    }
    this.#draw();
  }

  #list(texts: readonly string[]): void {
    this.#erase();
    this.#put(inColumns(texts, this.#columns, MOST_LISTED));
  }

  /** Writes text above the line that is being typed. */
  #above(text: string): void {
    if (text === '') return;
    if (this.#reading) this.#erase();
    this.#put(text);
    if (!this.#reading) return;
    if (this.#tail !== '' && this.#reading.request.reads !== 'line') this.#put('\n');
    this.#draw();
  }

  #erase(): void {
    const reading = this.#reading;
    if (!reading) return;
    // The incomplete output line stays, because the code may continue it.
    this.#options.output.write(`${up(reading.row)}\r${CLEAR_BELOW}${this.#tail}`);
    reading.row = 0;
  }

  #draw(): void {
    const reading = this.#reading;
    if (!reading) return;
    const { editor, request } = reading;
    const { search } = editor;
    const [prompt, text, cursor] = search
      ? [`(${search.found ? '' : 'failing '}reverse search) '${search.query}': `, editor.found, 0]
      : [request.prompt || this.#tail, editor.text, editor.cursor];
    const { rows, row, column } = layOut(
      prompt,
      text,
      cursor,
      this.#columns,
      Math.max(1, (this.#options.output.rows || 24) - 1),
    );
    const [first = '', ...rest] = rows;
    const styled =
      this.#options.colours && prompt !== '' && first.startsWith(prompt)
        ? `${PROMPT}${prompt}${RESET}${first.slice(prompt.length)}`
        : first;
    const drawn = [styled, ...rest].join('\r\n');
    const back = `${up(rows.length - 1 - row)}\r${column > 0 ? `\u001B[${column}C` : ''}`;
    this.#options.output.write(`${up(reading.row)}\r${CLEAR_BELOW}${drawn}${back}`);
    reading.row = row;
  }

  #put(text: string): void {
    if (text === '') return;
    this.#options.output.write(text);
    const bare = text.replaceAll(CONTROLS, '');
    const end = Math.max(bare.lastIndexOf('\n'), bare.lastIndexOf('\r'));
    this.#tail = (end < 0 ? this.#tail : '') + bare.slice(end + 1);
  }

  get #columns(): number {
    return this.#options.output.columns || 80;
  }
}

/** Returns true for a text that Enter submits: a whole form, a command, or an empty text. */
function isWhole({ reads, begun }: LineRequest, text: string): boolean {
  if (reads === 'line' || begun !== '') return true;
  const { missing, stray } = scanOnly(`${text}\n`);
  return missing === null || stray !== null;
}

/** Colours the REPL's own text, line by line. */
function styled(text: string, look: ReplLook): string {
  const style = LOOKS[look];
  return style === '' ? text : text.replaceAll(/^.+$/gm, (line) => `${style}${line}${RESET}`);
}

function commonPrefix(texts: readonly string[]): string {
  let common = texts[0] ?? '';
  for (const text of texts) while (!text.toLowerCase().startsWith(common.toLowerCase())) common = common.slice(0, -1);
  return common;
}

function up(rows: number): string {
  return rows > 0 ? `\u001B[${rows}A` : '';
}
