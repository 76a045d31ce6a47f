/** A terminal in raw mode: keys are read one by one, and pastes are marked. Restores the terminal during a pause and at the end. */
import { emitKeypressEvents } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Key } from './line-editor.ts';

const ESCAPE = String.fromCodePoint(0x1b);
const BRACKETED_PASTE_ON = `${ESCAPE}[?2004h`;
const BRACKETED_PASTE_OFF = `${ESCAPE}[?2004l`;
/** The character that Ctrl-\ sends on a raw terminal. */
const QUIT = String.fromCodePoint(0x1c);

export interface RawTerminalListener {
  readonly onKey: (character: string | undefined, key: Key) => void;
  /** Called when no more keys can arrive. */
  readonly onEnd: () => void;
  /** Called when the terminal's size has changed, or when the program resumes after a pause. The whole screen must then be redrawn. */
  readonly onRedraw: (afterPause: boolean) => void;
  /** Called just before the terminal is restored at the end. */
  readonly onLeave: () => void;
}

export class RawTerminal {
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  readonly #listener: RawTerminalListener;

  constructor(input: ReadStream, output: WriteStream, listener: RawTerminalListener) {
    this.#input = input;
    this.#output = output;
    this.#listener = listener;
    emitKeypressEvents(input);
    input.on('keypress', this.#key);
    for (const event of ['end', 'close', 'error']) input.once(event, listener.onEnd);
    output.on('resize', this.#resized);
    process.on('SIGCONT', this.#continued);
    process.once('exit', this.#leave);
    this.#raw(true);
    input.resume();
  }

  /** Handles Ctrl-Z: returns the terminal to the shell until the program resumes. */
  suspend(): void {
    this.#raw(false);
    process.kill(process.pid, 'SIGTSTP');
  }

  close(): void {
    this.#input.off('keypress', this.#key);
    this.#output.off('resize', this.#resized);
    process.off('SIGCONT', this.#continued);
    process.off('exit', this.#leave);
    this.#leave();
    this.#input.pause();
  }

  readonly #key = (character: string | undefined, key: Key): void => {
    if (key.sequence === QUIT) this.#quit();
    else this.#listener.onKey(character, key);
  };

  readonly #resized = (): void => this.#listener.onRedraw(false);

  readonly #continued = (): void => {
    this.#raw(true);
    this.#listener.onRedraw(true);
  };

  readonly #leave = (): void => {
    this.#listener.onLeave();
    this.#raw(false);
  };

  /** Ends the program immediately, as Ctrl-\ does on a terminal that is not raw. */
  #quit(): void {
    this.#raw(false);
    process.kill(process.pid, 'SIGQUIT');
  }

  #raw(on: boolean): void {
    this.#input.setRawMode(on);
    this.#output.write(on ? BRACKETED_PASTE_ON : BRACKETED_PASTE_OFF);
  }
}
