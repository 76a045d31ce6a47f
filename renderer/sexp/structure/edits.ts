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
 * The effect of an edit of whole lines in a guarded form: the edits that do it where more than the lines has to change; `plain` where the
 * lines alone do it, or the text is not balanced before; `unbalancing` where nothing would keep it balanced.
 */
export type LineEdit = readonly Edit[] | 'plain' | 'unbalancing';

/** The text with the edits made, which are given in order. */
export function edited(text: string, edits: readonly Edit[]): string {
  return edits.toReversed().reduce((made, edit) => made.slice(0, edit.start) + edit.text + made.slice(edit.end), text);
}

/** The offset at which a caret stands after the edits, in front of a line that is put in where it was. */
export function caretAfter(edits: readonly Edit[], caret: number): number {
  return edits.reduce((at, { start, end, text }) => {
    if (start > caret || (start === caret && text.startsWith('\n'))) return at;
    return at + text.length - (Math.min(end, caret) - start);
  }, caret);
}
