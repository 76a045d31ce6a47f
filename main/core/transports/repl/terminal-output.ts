/**
 * Text of the image on a terminal. Its colours are shown, and nothing else that a terminal would obey: code must not move the cursor to
 * where the REPL or a request for approval has written, nor make what follows look like either. What is left out is shown as code points.
 */
import { drawable } from '#contract/text/visible.ts';

const ESCAPE = String.fromCodePoint(0x1b);
/** Colours and weights of characters, which end with {@link RESET}. */
const SGR = new RegExp(String.raw`${ESCAPE}\[[0-9;:]*m`, 'g');
/** The beginning of one at the end of a text. */
const BEGUN = new RegExp(String.raw`${ESCAPE}(?:\[[0-9;:]{0,30})?$`);
/** Attributes by which text is not seen at all. */
const HIDES = /(?:^|[;:[])0*8(?=[;:m])/;
export const RESET = `${ESCAPE}[0m`;

export class TerminalOutput {
  readonly #colours: boolean;
  #begun = '';
  #styled = false;

  /** Without `colours` those of the text are left out. */
  constructor(colours: boolean) {
    this.#colours = colours;
  }

  /** Returns the text as it may be written. The beginning of a colour waits for its end. */
  shown(text: string): string {
    const all = this.#begun + text;
    this.#begun = BEGUN.exec(all)?.[0] ?? '';
    const whole = this.#begun === '' ? all : all.slice(0, -this.#begun.length);
    let shown = '';
    let at = 0;
    for (const { 0: style, index } of whole.matchAll(SGR)) {
      shown += drawable(whole.slice(at, index));
      at = index + style.length;
      if (!this.#colours || HIDES.test(style)) continue;
      this.#styled = true;
      shown += style;
    }
    return shown + drawable(whole.slice(at));
  }

  /** Ends what the text has begun, before something else is written: the half of a colour, and colours that were left on. */
  settle(): string {
    const text = drawable(this.#begun) + (this.#styled ? RESET : '');
    this.#begun = '';
    this.#styled = false;
    return text;
  }
}
