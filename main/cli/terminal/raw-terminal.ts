/** A terminal whose keys are read one by one, with pastes marked; given back as it was for a pause and at the end. */
import { emitKeypressEvents } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Key } from './line-editor.ts';

const ESCAPE = String.fromCodePoint(0x1b);
const BRACKETED_PASTE_ON = `${ESCAPE}[?2004h`;
const BRACKETED_PASTE_OFF = `${ESCAPE}[?2004l`;
/** Ctrl-\ as a terminal sends it that is raw. */
const QUIT = String.fromCodePoint(0x1c);

export interface RawTerminalListener {
  readonly onKey: (character: string | undefined, key: Key) => void;
  /** Called when no key can come any more. */
  readonly onEnd: () => void;
  /** The size is another one, or the program goes on after a pause: everything has to be drawn again. */
  readonly onRedraw: (afterPause: boolean) => void;
  /** The terminal is about to be given back for good. */
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

  /** Ctrl-Z: the shell has the terminal until it lets the program go on. */
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

  /** Ends the program at once, as the key does where a terminal is not raw. */
  #quit(): void {
    this.#raw(false);
    process.kill(process.pid, 'SIGQUIT');
  }

  #raw(on: boolean): void {
    this.#input.setRawMode(on);
    this.#output.write(on ? BRACKETED_PASTE_ON : BRACKETED_PASTE_OFF);
  }
}
