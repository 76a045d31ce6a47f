/**
 * Colours that a program asks for in what it prints, as terminals have them (ECMA-48's SGR sequences), such as reports of tests. Of them the
 * window has its own few, which can be read in each theme. Pure.
 */

/** A colour of the window, as its elements name them. */
export type PrintedTone = 'error' | 'success' | 'warning' | 'accent' | 1 | 3;

export interface ColouredPiece {
  readonly text: string;
  /** The colour of the piece; null for that of the output around it. */
  readonly tone: PrintedTone | null;
}

const ESCAPE = '\u001B';
const SEQUENCE = new RegExp(String.raw`${ESCAPE}\[([\d;]*)m`, 'g');

/** By the last digit of the code: black, red, green, yellow, blue, magenta, cyan, white. */
const TONES: readonly (PrintedTone | null)[] = [3, 'error', 'success', 'warning', 'accent', 'accent', 'accent', null];

/** The pieces of a text by their colours, without the sequences. `before` holds at its beginning, `after` behind it. */
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

/** The text without the sequences, as it is read. */
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
    // A colour by its number, or by its parts, has further codes of its own.
    else if (code === 38 || code === 48) index += codes[index + 1] === 5 ? 2 : 4;
  }
  return tone;
}
