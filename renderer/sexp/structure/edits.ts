/** Edits of a text by UTF-16 offsets. Pure. */

/** A part of a text; `end` is the first offset after it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The replacement of a part of a text. */
export interface Edit extends Span {
  readonly text: string;
}

/**
 * The effect of an edit of whole lines in a guarded form. It is a list of edits if more than the lines must change; `plain` if changing the
 * lines is enough, or the text was not balanced before; `unbalancing` if no edit would keep it balanced.
 */
export type LineEdit = readonly Edit[] | 'plain' | 'unbalancing';

/** Returns the text after the edits, which must be in order. */
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
