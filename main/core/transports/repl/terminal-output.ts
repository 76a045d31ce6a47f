/**
 * Text of the image on a terminal. Colours are shown, and all other control sequences are disabled: code must not move the cursor into text
 * of the REPL or of an approval request, nor imitate such text. Removed characters are shown as code points.
 */
import { drawable } from '#contract/text/visible.ts';

const ESCAPE = String.fromCodePoint(0x1b);
/** Colours and text attributes, which end with {@link RESET}. */
const SGR = new RegExp(String.raw`${ESCAPE}\[[0-9;:]*m`, 'g');
/** An incomplete escape sequence at the end of a text. */
const BEGUN = new RegExp(String.raw`${ESCAPE}(?:\[[0-9;:]{0,30})?$`);
/** Attributes that make text invisible. */
const HIDES = /(?:^|[;:[])0*8(?=[;:m])/;
export const RESET = `${ESCAPE}[0m`;

export class TerminalOutput {
  readonly #colours: boolean;
  #begun = '';
  #styled = false;

  /** Without `colours`, the colours of the text are removed. */
  constructor(colours: boolean) {
    this.#colours = colours;
  }

  /** Returns the text as it may be written. An incomplete escape sequence waits for its end. */
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

  /** Returns the text that ends the output before other text is written: it completes a partial sequence and resets open colours. */
  settle(): string {
    const text = drawable(this.#begun) + (this.#styled ? RESET : '');
    this.#begun = '';
    this.#styled = false;
    return text;
  }
}
