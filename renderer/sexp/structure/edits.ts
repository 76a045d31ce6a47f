/** Edits of a text by UTF-16 offsets. Pure. */

/** A section of a text; `end` is the first offset after it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A replacement for a section of a text. */
export interface Edit extends Span {
  readonly text: string;
}

/**
 * The effect of editing whole lines in a guarded form. It is a list of edits if text outside the lines must change too; `plain` if changing
 * the lines is enough, or if the text was not balanced before; `unbalancing` if no edit can keep the text balanced.
 */
export type LineEdit = readonly Edit[] | 'plain' | 'unbalancing';

/** Applies the edits, which must be in order, and returns the new text. */
export function edited(text: string, edits: readonly Edit[]): string {
  return edits.toReversed().reduce((made, edit) => made.slice(0, edit.start) + edit.text + made.slice(edit.end), text);
}

/** Returns the offset of a caret after the edits. If a line is inserted at the caret, the caret stays in front of it. */
export function caretAfter(edits: readonly Edit[], caret: number): number {
  return edits.reduce((at, { start, end, text }) => {
    if (start > caret || (start === caret && text.startsWith('\n'))) return at;
    return at + text.length - (Math.min(end, caret) - start);
  }, caret);
}
