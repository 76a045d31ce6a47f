/** The commands that indent lines, a form, and the whole text. */
import { notify } from '../../base/notices/notices.tsx';
import { topLevelAt } from '#contract/sexp/forms.ts';
import { readText } from '#contract/sexp/reader.ts';
import { FormText } from '../text/form-text.ts';
import { indentLines, indentSelections } from './indentation.ts';
import { editableLisp } from './structure.ts';

/** The number of lines from which indenting a text is slow enough to show a notice. */
const LONG = 20_000;
/** The maximum number of lines that can be indented at once. */
const MOST = 300_000;

export function indentSelected(): void {
  const edited = editableLisp();
  if (edited) indentSelections(edited.editor);
  edited?.editor.focus();
}

/** Indents the top-level form around the caret. */
export function indentFormAtCaret(): void {
  const edited = editableLisp();
  const place = edited?.editor.getPosition();
  if (!edited || !place) return;
  const around = new FormText(edited.model, place.lineNumber);
  const form = topLevelAt(around.text, readText(around.text), around.offsetOf(place));
  if (form) indentLines(edited.editor, around.placeOf(form.start).lineNumber, around.placeOf(form.end).lineNumber);
  edited.editor.focus();
}

/** Indents the whole text as one undoable step, and reports how many lines changed. */
export async function indentBuffer(): Promise<void> {
  const edited = editableLisp();
  if (!edited) return;
  const { editor, model } = edited;
  const count = model.getLineCount();
  if (count > MOST) {
    notify(
      `This text has ${count.toLocaleString('en')} lines; at most ${MOST.toLocaleString('en')} can be indented at once. Indent a selection instead.`,
    );
    return;
  }
  if (count > LONG) {
    notify(`Indenting ${count.toLocaleString('en')} lines…`);
    // Lets the page draw the notice before the page is busy.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
    if (editor.getModel() !== model) return;
  }
  const changed = indentLines(editor, 1, count);
  notify(
    changed === 0
      ? 'Every line is indented correctly.'
      : `${changed === 1 ? 'One line was' : `${changed.toLocaleString('en')} lines were`} indented.`,
  );
  editor.focus();
}
