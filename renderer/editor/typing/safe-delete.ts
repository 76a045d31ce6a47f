/**
 * Backspace and Delete in Lisp text: if deleting a character would unbalance a form, the caret moves over it instead. `forceDelete` deletes
 * it anyway.
 */
import { mirror } from '../../base/mirror.ts';
import { wordPastDelimiters } from '../../sexp/structure/delete-word.ts';
import { type Deleting, deletingAt, keepsBalance } from '../../sexp/structure/guard.ts';
import { FormText } from '../text/form-text.ts';
import { LISP } from '../monaco/language.ts';
import { monaco } from '../monaco/monaco.ts';
import { showNote } from '../monaco/note.ts';
import { editableLisp } from './structure.ts';

type Editor = monaco.editor.IStandaloneCodeEditor;
type Direction = 'left' | 'right';

const SOURCE = 'safe-delete';
const IN_LISP = `editorTextFocus && !editorReadonly && editorLangId == ${LISP}`;

export function installSafeDelete(editor: Editor): void {
  const add = (id: string, label: string, key: number, run: () => void): void => {
    editor.addAction({ id, label, keybindings: [key], precondition: IN_LISP, run });
  };
  const { CtrlCmd } = monaco.KeyMod;
  const { Backspace, Delete } = monaco.KeyCode;
  add('lisp.deleteLeft', 'Delete Left', Backspace, () => remove(editor, 'left'));
  add('lisp.deleteRight', 'Delete Right', Delete, () => remove(editor, 'right'));
  add('lisp.deleteWordLeft', 'Delete Word Left', CtrlCmd | Backspace, () => removeWord(editor, 'left'));
  add('lisp.deleteWordRight', 'Delete Word Right', CtrlCmd | Delete, () => removeWord(editor, 'right'));
}

/** Deletes a character at every caret, or the selection, even if that unbalances a form. */
export function forceDelete(direction: Direction): void {
  const edited = editableLisp();
  edited?.editor.focus();
  edited?.editor.trigger(SOURCE, direction === 'left' ? 'deleteLeft' : 'deleteRight', null);
}

function remove(editor: Editor, direction: Direction): void {
  const model = editor.getModel()!;
  const selections = editor.getSelections() ?? [];
  const { structuralEditing } = mirror.getState().settings;
  const plainly = (): void => editor.trigger('keyboard', direction === 'left' ? 'deleteLeft' : 'deleteRight', null);
  if (selections.some((selection) => !selection.isEmpty())) {
    if (structuralEditing === 'strict' && !selections.every((selection) => mayGo(model, selection)))
      return showNote(editor, 'This would leave unbalanced parentheses. Alt+Backspace deletes it anyway.');
    return plainly();
  }
  const what = selections.map((selection) => deletingIn(model, selection.getPosition(), direction));
  const done = structuralEditing === 'off' ? what.map((each) => (each === 'over' ? 'plain' : each)) : what;
  if (done.every((each) => each === 'plain')) return plainly();
  editor.pushUndoStop();
  editor.executeEdits(
    SOURCE,
    selections.flatMap((selection, index) => {
      const range = rangeOf(model, selection.getPosition(), done[index]!, direction);
      return done[index] === 'over' ? [] : [{ range, text: '' }];
    }),
  );
  editor.setSelections(
    (editor.getSelections() ?? selections).map((selection, index) => {
      if (done[index] !== 'over') return selection;
      const { lineNumber, column } = model.getPositionAt(
        model.getOffsetAt(selection.getPosition()) + (direction === 'left' ? -1 : 1),
      );
      return new monaco.Selection(lineNumber, column, lineNumber, column);
    }),
    SOURCE,
  );
  editor.pushUndoStop();
  editor.revealPosition(editor.getPosition()!);
}

/**
 * Deletes a word, even if guarded parentheses or quotes are between the caret and the word. If there is no word, behaves like Backspace or
 * Delete.
 */
function removeWord(editor: Editor, direction: Direction): void {
  const model = editor.getModel()!;
  const selections = editor.getSelections() ?? [];
  const ranges = selections.map((selection) => (selection.isEmpty() ? wordNear(model, selection, direction) : null));
  if (ranges.some((range) => range === null || range.isEmpty() || !mayGo(model, range)))
    return remove(editor, direction);
  editor.pushUndoStop();
  editor.executeEdits(
    SOURCE,
    ranges.map((range) => ({ range: range!, text: '' })),
  );
  editor.pushUndoStop();
}

function wordNear(
  model: monaco.editor.ITextModel,
  selection: monaco.Selection,
  direction: Direction,
): monaco.Range | null {
  const place = selection.getPosition();
  const { structuralEditing } = mirror.getState().settings;
  if (structuralEditing === 'off' || deletingIn(model, place, direction) !== 'over')
    return wordAt(model, selection, direction);
  const around = new FormText(model, place.lineNumber);
  const past = wordPastDelimiters(around.text, around.offsetOf(place), direction);
  return past && around.rangeOf(past.start, past.end);
}

/** Returns the range of blanks, or of a name with the adjacent blanks, on the caret's line. */
function wordAt(model: monaco.editor.ITextModel, selection: monaco.Selection, direction: Direction): monaco.Range {
  const { lineNumber, column } = selection.getPosition();
  const line = model.getLineContent(lineNumber);
  const length =
    direction === 'left'
      ? /(?:[^\s()"]+[^\S\n]*|[^\S\n]+)$/.exec(line.slice(0, column - 1))?.[0].length
      : /^(?:[^\S\n]*[^\s()"]+|[^\S\n]+)/.exec(line.slice(column - 1))?.[0].length;
  const by = length ?? 0;
  return direction === 'left'
    ? new monaco.Range(lineNumber, column - by, lineNumber, column)
    : new monaco.Range(lineNumber, column, lineNumber, column + by);
}

/**
 * Returns false if the deletion would leave a form without its parenthesis. Only one top-level form and its neighbours are checked; larger
 * ranges are allowed.
 */
function mayGo(model: monaco.editor.ITextModel, range: monaco.Range): boolean {
  const around = new FormText(model, range.endLineNumber, 1);
  if (!around.holds(range.getStartPosition())) return true;
  return keepsBalance(around.text, around.offsetOf(range.getStartPosition()), around.offsetOf(range.getEndPosition()));
}

function deletingIn(model: monaco.editor.ITextModel, place: monaco.Position, direction: Direction): Deleting {
  const around = new FormText(model, place.lineNumber);
  const offset = around.offsetOf(place);
  // If the character to delete is outside `around.text`, it is a line break.
  return deletingAt(around.text, offset, direction);
}

function rangeOf(
  model: monaco.editor.ITextModel,
  place: monaco.Position,
  deleting: Deleting,
  direction: Direction,
): monaco.Range {
  const { lineNumber, column } = place;
  if (deleting === 'pair') {
    const inside = direction === 'left' || !/^(?:\(\)|"")/.test(model.getLineContent(lineNumber).slice(column - 1));
    return new monaco.Range(lineNumber, column - (inside ? 1 : 0), lineNumber, column + (inside ? 1 : 2));
  }
  const other = model.getPositionAt(model.getOffsetAt(place) + (direction === 'left' ? -1 : 1));
  return monaco.Range.fromPositions(...(direction === 'left' ? ([other, place] as const) : ([place, other] as const)));
}
