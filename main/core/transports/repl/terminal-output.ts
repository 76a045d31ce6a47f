/**
 * Makes text of the image safe for a terminal. Colours are kept, and all other control sequences are disabled: code must not move the
 * cursor into text of the REPL or of an approval request, or imitate such text. Removed characters are shown as code points.
 */
import { drawable } from '#contract/text/visible.ts';

const ESCAPE = String.fromCodePoint(0x1b);
/** Matches sequences that set colours and text attributes, which {@link RESET} resets. */
const SGR = new RegExp(String.raw`${ESCAPE}\[[0-9;:]*m`, 'g');
/** Matches an incomplete escape sequence at the end of a text. */
const BEGUN = new RegExp(String.raw`${ESCAPE}(?:\[[0-9;:]{0,30})?$`);
/** Matches attributes that make text invisible. */
const HIDES = /(?:^|[;:[])0*8(?=[;:m])/;
export const RESET = `${ESCAPE}[0m`;

export class TerminalOutput {
  readonly #colours: boolean;
  #begun = '';
  #styled = false;

  /** If `colours` is false, colours are removed from the text. */
  constructor(colours: boolean) {
    this.#colours = colours;
  }

  /** Returns the part of the text that may be written now. An incomplete escape sequence is held back until the rest of it arrives. */
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

  /**
   * Returns the text that must be written before text from another source: the rest of an incomplete sequence, made visible, and a reset if
   * colours are on.
   */
  settle(): string {
    const text = drawable(this.#begun) + (this.#styled ? RESET : '');
    this.#begun = '';
    this.#styled = false;
    return text;
  }
}
