/**
 * Handles colours in printed text, for example in test reports, as terminals do (ECMA-48's SGR sequences). The colours are mapped to a few
 * colours of the window that are readable in each theme. Pure.
 */

/** A colour of the window, by the name that the window's elements use. */
export type PrintedTone = 'error' | 'success' | 'warning' | 'accent' | 1 | 3;

export interface ColouredPiece {
  readonly text: string;
  /** The colour of the piece; null for the default colour of the output. */
  readonly tone: PrintedTone | null;
}

const ESCAPE = '\u001B';
const SEQUENCE = new RegExp(String.raw`${ESCAPE}\[([\d;]*)m`, 'g');

/** The tones by the last digit of the code: black, red, green, yellow, blue, magenta, cyan, white. */
const TONES: readonly (PrintedTone | null)[] = [3, 'error', 'success', 'warning', 'accent', 'accent', 'accent', null];

/**
 * Returns the pieces of a text by their colours, without the sequences. `before` is the colour at the start of the text, `after` the colour
 * at its end.
 */
export function colouredPieces(
  text: string,
  before: PrintedTone | null = null,
): { pieces: ColouredPiece[]; after: PrintedTone | null } {
  if (!text.includes(ESCAPE)) return { pieces: [{ text, tone: before }], after: before };
  const pieces: ColouredPiece[] = [];
  let [tone, at] = [before, 0];
  for (const { index, 0: sequence, 1: codes = '' } of text.matchAll(SEQUENCE)) {
    if (index > at) pieces.push({ text: text.slice(at, index), tone });
    tone = toneAfter(codes.split(';').map(Number), tone);
    at = index + sequence.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), tone });
  return { pieces, after: tone };
}

/** Returns the text without the colour sequences. */
export function withoutColours(text: string): string {
  return text.includes(ESCAPE) ? text.replaceAll(SEQUENCE, '') : text;
}

function toneAfter(codes: readonly number[], before: PrintedTone | null): PrintedTone | null {
  let tone = before;
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index]!;
    if (code === 0 || code === 39) tone = null;
    else if (code === 1) tone ??= 1;
    else if (code === 22 && tone === 1) tone = null;
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) tone = TONES[code % 10]!;
    // The code 38 or 48 is followed by more codes: a colour number, or colour components.
    else if (code === 38 || code === 48) index += codes[index + 1] === 5 ? 2 : 4;
  }
  return tone;
}
