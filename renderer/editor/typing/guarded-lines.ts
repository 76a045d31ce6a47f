/** Whole lines in a text whose parentheses are guarded: the forms around them, and edits of both. */
import { mirror } from '../../base/mirror.ts';
import type { Edit, LineEdit, Span } from '../../sexp/structure/edits.ts';
import { FormText } from '../text/form-text.ts';
import { LISP } from '../monaco/language.ts';
import type { Block } from './line-blocks.ts';
import type { monaco } from '../monaco/monaco.ts';
import { showNote } from '../monaco/note.ts';

type Editor = monaco.editor.IStandaloneCodeEditor;

/** Characters of forms that are looked at; the lines of longer ones are edited as they are. */
const MOST = 300_000;

export interface GuardedLines {
  /** The top-level forms that the lines are in, and their neighbours. */
  readonly around: FormText;
  /** The lines in that text, without their last line break. */
  readonly lines: Span;
}

/** The lines with the forms around them; null where parentheses are not guarded, or the forms are too long. */
export function guardedLines(model: monaco.editor.ITextModel, { first, last }: Block): GuardedLines | null {
  if (model.getLanguageId() !== LISP || mirror.getState().settings.structuralEditing === 'off') return null;
  const around = new FormText(model, first, 1, last);
  if (around.text.length > MOST) return null;
  const start = around.offsetOf({ lineNumber: first, column: 1 });
  return { around, lines: { start, end: around.offsetOf({ lineNumber: last, column: model.getLineMaxColumn(last) }) } };
}

/** True where an edit would unbalance a form that is guarded strictly: it is refused then, with a note that says so. */
export function isRefused(editor: Editor, effect: LineEdit): boolean {
  if (effect !== 'unbalancing' || mirror.getState().settings.structuralEditing !== 'strict') return false;
  showNote(editor, 'This would leave a form without its parenthesis. Select all lines of the form.');
  return true;
}

/** Edits of the text around as those of the model. */
export function editsOfModel(
  { around }: GuardedLines,
  edits: readonly Edit[],
): monaco.editor.IIdentifiedSingleEditOperation[] {
  return edits.map(({ start, end, text }) => ({ range: around.rangeOf(start, end), text }));
}
