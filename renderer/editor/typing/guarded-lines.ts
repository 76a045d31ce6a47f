/** Whole lines in text with guarded parentheses: finds the forms around the lines, and applies edits. */
import { mirror } from '../../base/mirror.ts';
import type { Edit, LineEdit, Span } from '../../sexp/structure/edits.ts';
import { FormText } from '../text/form-text.ts';
import { LISP } from '../monaco/language.ts';
import type { Block } from './line-blocks.ts';
import type { monaco } from '../monaco/monaco.ts';
import { showNote } from '../monaco/note.ts';

type Editor = monaco.editor.IStandaloneCodeEditor;

/** The maximum number of characters of forms that are checked. Lines in longer forms are edited without a check. */
const MOST = 300_000;

export interface GuardedLines {
  /** The top-level forms that contain the lines, with their neighbouring forms. */
  readonly around: FormText;
  /** The span of the lines in that text, without the last line break. */
  readonly lines: Span;
}

/** Returns the lines with the forms around them; null if parentheses are not guarded or the forms are too long. */
export function guardedLines(model: monaco.editor.ITextModel, { first, last }: Block): GuardedLines | null {
  if (model.getLanguageId() !== LISP || mirror.getState().settings.structuralEditing === 'off') return null;
  const around = new FormText(model, first, 1, last);
  if (around.text.length > MOST) return null;
  const start = around.offsetOf({ lineNumber: first, column: 1 });
  return { around, lines: { start, end: around.offsetOf({ lineNumber: last, column: model.getLineMaxColumn(last) }) } };
}

/** Returns true and shows a note if strict guarding forbids an edit because it would unbalance a form. */
export function isRefused(editor: Editor, effect: LineEdit): boolean {
  if (effect !== 'unbalancing' || mirror.getState().settings.structuralEditing !== 'strict') return false;
  showNote(editor, 'This would leave unbalanced parentheses. Select all lines of the form.');
  return true;
}

/** Converts edits of the text around the lines to edits of the model. */
export function editsOfModel(
  { around }: GuardedLines,
  edits: readonly Edit[],
): monaco.editor.IIdentifiedSingleEditOperation[] {
  return edits.map(({ start, end, text }) => ({ range: around.rangeOf(start, end), text }));
}
