/** Emacs's motions and text changes. Pure: each function maps a text and a caret to a caret, a span or a change. */

export type Motion = (text: string, caret: number) => number;

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A replacement of the text from `start` to `end`, and the resulting caret. */
export interface TextChange extends Span {
  readonly text: string;
  readonly caret: number;
}

export const lineStart: Motion = (text, caret) => text.lastIndexOf('\n', caret - 1) + 1;

export const lineEnd: Motion = (text, caret) => {
  const end = text.indexOf('\n', caret);
  return end < 0 ? text.length : end;
};

/** Returns the offset of the line's first non-blank character. */
export const indentation: Motion = (text, caret) => {
  const start = lineStart(text, caret);
  return start + /^[^\S\n]*/.exec(text.slice(start))![0].length;
};

/** Returns the offset after the next character; a surrogate pair counts as one. */
export const forwardChar: Motion = (text, caret) =>
  Math.min(text.length, caret + ((text.codePointAt(caret) ?? 0) > 0xff_ff ? 2 : 1));

export const backwardChar: Motion = (text, caret) =>
  Math.max(0, caret - (caret > 1 && (text.codePointAt(caret - 2) ?? 0) > 0xff_ff ? 2 : 1));

/** Returns the offset after the next word. Words are letters and digits, and a hyphen separates words, as in Emacs's Lisp mode. */
export const forwardWord: Motion = (text, caret) =>
  caret + /^[^\p{L}\p{N}]*[\p{L}\p{N}]*/u.exec(text.slice(caret))![0].length;

export const backwardWord: Motion = (text, caret) =>
  caret - /[\p{L}\p{N}]*[^\p{L}\p{N}]*$/u.exec(text.slice(0, caret))![0].length;

/** Returns the offset of the empty line after the paragraph, or of the end of the text. */
export const forwardParagraph: Motion = (text, caret) => {
  const rest = text.slice(caret);
  const found = /^\s*[^\s](?:[^\n]|\n(?![^\S\n]*(?:\n|$)))*\n?/.exec(rest);
  return caret + (found?.[0].length ?? rest.length);
};

/** Returns the offset of the empty line before the paragraph, or of the start of the text. */
export const backwardParagraph: Motion = (text, caret) => {
  let at = lineStart(text, caret);
  const isBlank = (start: number): boolean => text.slice(start, lineEnd(text, start)).trim() === '';
  while (at > 0 && isBlank(at)) at = lineStart(text, at - 1);
  while (at > 0 && !isBlank(at)) at = lineStart(text, at - 1);
  return at;
};

/**
 * Returns the offset of the caret's column in the line above (-1) or below (1), or the end of that line if it is shorter. Returns null if
 * there is no such line.
 */
export function otherLine(text: string, caret: number, direction: -1 | 1): number | null {
  const start = lineStart(text, caret);
  const end = lineEnd(text, caret);
  if (direction < 0 ? start === 0 : end === text.length) return null;
  const first = direction < 0 ? lineStart(text, start - 1) : end + 1;
  return Math.min(first + caret - start, lineEnd(text, first));
}

/** Returns the span to kill: the rest of the line, including the line break if only blanks remain. */
export function restOfLine(text: string, caret: number): Span {
  const end = lineEnd(text, caret);
  const onlyBlanks = text.slice(caret, end).trim() === '';
  return { start: caret, end: onlyBlanks && end < text.length ? end + 1 : end };
}

/** Swaps the two characters around the caret or, at the end of a line, the two before it. */
export function transposeChars(text: string, caret: number): TextChange | null {
  const atEnd = caret === lineEnd(text, caret);
  if (atEnd && caret < lineStart(text, caret) + 2) return null;
  const middle = atEnd ? caret - 1 : caret;
  if (middle < 1 || middle >= text.length) return null;
  const [before, after] = [text[middle - 1]!, text[middle]!];
  return { start: middle - 1, end: middle + 1, text: after + before, caret: middle + 1 };
}

/** Replaces the blanks around the caret with `kept`, which is empty or one space. */
export function blanksAround(text: string, caret: number, kept: '' | ' '): TextChange {
  const start = caret - /[^\S\n]*$/.exec(text.slice(0, caret))![0].length;
  const end = caret + /^[^\S\n]*/.exec(text.slice(caret))![0].length;
  return { start, end, text: kept, caret: start + kept.length };
}

/** Changes the case of the word after the caret, and moves the caret to the word's end. */
export function changeWord(text: string, caret: number, how: 'upper' | 'lower' | 'capital'): TextChange {
  const end = forwardWord(text, caret);
  const old = text.slice(caret, end);
  const changed =
    how === 'upper'
      ? old.toUpperCase()
      : how === 'lower'
        ? old.toLowerCase()
        : old.toLowerCase().replace(/[\p{L}\p{N}]/u, (first) => first.toUpperCase());
  return { start: caret, end, text: changed, caret: caret + changed.length };
}

/** Joins the line to the one above, with one space between them, or with none next to a parenthesis. */
export function joinToAbove(text: string, caret: number): TextChange | null {
  const start = lineStart(text, caret);
  if (start === 0) return null;
  const above = text.slice(0, start - 1).trimEnd().length;
  const from = Math.max(above, lineStart(text, start - 1));
  const to = indentation(text, start);
  const gap =
    from === lineStart(text, from) || /[(\n]/.test(text[from - 1] ?? '\n') || /^[)\n]?$/.test(text[to] ?? '')
      ? ''
      : ' ';
  return { start: from, end: to, text: gap, caret: from };
}

/** Reduces the empty lines around the caret to one, or removes a single empty line. */
export function blankLinesAround(text: string, caret: number): TextChange | null {
  const here = text.slice(lineStart(text, caret), lineEnd(text, caret)).trim() === '';
  const start = here ? caret - /\s*$/.exec(text.slice(0, caret))![0].length : lineEnd(text, caret);
  const found = /^(?:[^\S\n]*\n)+/.exec(text.slice(start))?.[0] ?? '';
  const breaks = found.split('\n').length - 1;
  if (breaks < 2) return null;
  const kept = here && breaks > 2 ? '\n\n' : '\n';
  return { start, end: start + found.length, text: kept, caret: here ? start + 1 : caret };
}
