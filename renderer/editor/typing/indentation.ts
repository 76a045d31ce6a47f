/** Indents lines according to the forms around them, on Enter, Tab, paste and command. */
import { mirror } from '../../base/mirror.ts';
import { imageMacros } from '../../base/image/image-macros.ts';
import { newLineColumn, reindentLines } from '../../sexp/indentation/reindent.ts';
import { LISP } from '../monaco/language.ts';
import { monaco } from '../monaco/monaco.ts';
import { packageNear } from '../providers/context.ts';
import { topLevelsOf } from '../text/top-levels.ts';

type Editor = monaco.editor.IStandaloneCodeEditor;
type Model = monaco.editor.ITextModel;
type Edit = monaco.editor.IIdentifiedSingleEditOperation;

const IN_LISP = `editorTextFocus && !editorReadonly && editorLangId == ${LISP}`;

/** The maximum number of pasted lines that are indented; a longer paste is left unchanged. */
const MOST_PASTED = 5000;

export function installIndentation(editor: Editor): monaco.IDisposable {
  editor.addAction({
    id: 'lisp.newline',
    label: 'New Line',
    keybindings: [monaco.KeyCode.Enter],
    precondition: `${IN_LISP} && !renameInputVisible && !(suggestWidgetVisible && acceptSuggestionOnEnter)`,
    run: () => breakLines(editor),
  });
  editor.addAction({
    id: 'lisp.indent',
    label: 'Indent by the Form',
    // Outdenting by a fixed width is meaningless in Lisp, so both keys indent lines according to the form.
    keybindings: [monaco.KeyCode.Tab, monaco.KeyMod.Shift | monaco.KeyCode.Tab],
    precondition: `${IN_LISP} && !editorTabMovesFocus && !suggestWidgetVisible && !inSnippetMode`,
    run: () => indentSelections(editor),
  });
  return editor.onDidPaste(({ range }) => {
    if (mirror.getState().settings.indentOnPaste) indentPasted(editor, range);
  });
}

/**
 * Re-indents the lines of every selection. A caret in a line's leading blanks moves to the line's first other character; any other caret
 * stays at its text.
 */
export function indentSelections(editor: Editor): void {
  const model = editor.getModel();
  const selections = editor.getSelections();
  if (!model || !selections) return;
  const edits = new Map<number, Edit>();
  for (const { startLineNumber, endLineNumber, endColumn } of selections) {
    // A selection that ends before a line's first character does not include that line.
    const last = endColumn === 1 && endLineNumber > startLineNumber ? endLineNumber - 1 : endLineNumber;
    for (const edit of indentingEdits(model, startLineNumber, last)) edits.set(edit.range.startLineNumber, edit);
  }
  editor.pushUndoStop();
  editor.executeEdits('indent', [...edits.values()]);
  editor.pushUndoStop();
  editor.setSelections((editor.getSelections() ?? selections).map((selection) => pastBlank(model, selection)));
}

/** Re-indents lines as one undoable step. Carets stay at their text. Returns the number of changed lines. */
export function indentLines(editor: Editor, first: number, last: number): number {
  const model = editor.getModel();
  if (!model) return 0;
  const edits = indentingEdits(model, first, last);
  if (edits.length === 0) return 0;
  editor.pushUndoStop();
  editor.executeEdits('indent', edits);
  editor.pushUndoStop();
  return edits.length;
}

/** Returns the edits that indent lines `first` to `last`, counted from 1, according to the forms around them. */
export function indentingEdits(model: Model, first: number, last: number): Edit[] {
  const top = topLevelsOf(model).startOf(first);
  const lines: string[] = [];
  for (let line = top; line <= last; line += 1) lines.push(model.getLineContent(line));
  return reindentLines(lines, first - top, last - top, imageMacros(), packageNear(model, top)).map(
    ({ line, blank, had }) => ({ range: new monaco.Range(top + line, 1, top + line, had + 1), text: blank }),
  );
}

/** Indents pasted lines. If text precedes the first pasted line on its line, that line is left unchanged. */
function indentPasted(editor: Editor, { startLineNumber, startColumn, endLineNumber }: monaco.IRange): void {
  const model = editor.getModel();
  if (!model || model.getLanguageId() !== LISP || editor.getOption(monaco.editor.EditorOption.readOnly)) return;
  const before = model.getLineContent(startLineNumber).slice(0, startColumn - 1);
  const first = before.trim() === '' ? startLineNumber : startLineNumber + 1;
  if (first > endLineNumber || endLineNumber - first > MOST_PASTED) return;
  const edits = indentingEdits(model, first, endLineNumber).filter(
    // Skip lines that contain only blanks, because the person may have pasted only blanks.
    ({ range }) => model.getLineContent(range.startLineNumber).trim() !== '',
  );
  if (edits.length === 0) return;
  // Make undo revert a paste and its indentation in one step.
  editor.popUndoStop();
  editor.executeEdits('indent', edits);
  editor.pushUndoStop();
}

function pastBlank(model: Model, selection: monaco.Selection): monaco.Selection {
  if (!selection.isEmpty()) return selection;
  const { positionLineNumber: line, positionColumn: column } = selection;
  const text = /\S/.exec(model.getLineContent(line))?.index ?? model.getLineLength(line);
  const to = Math.max(column, text + 1);
  return new monaco.Selection(line, to, line, to);
}

/**
 * Breaks the line at every caret. Indents the new line according to its form, or like the old line if indenting on Enter is off. `before`
 * is inserted at the end of the old line. The carets move to `carets`, or to the start of the new line's text.
 */
export function breakLines(editor: Editor, before = '', carets?: monaco.Selection[]): void {
  const model = editor.getModel();
  const selections = editor.getSelections();
  if (!model || !selections) return;
  const edits = selections.map((selection) => {
    const { lineNumber, column } = selection.getStartPosition();
    const top = topLevelsOf(model).startOf(lineNumber);
    const above = model
      .getValueInRange(new monaco.Range(top, 1, lineNumber, column), monaco.editor.EndOfLinePreference.LF)
      .split('\n');
    const after = model.getLineContent(selection.endLineNumber).slice(selection.endColumn - 1);
    const blank = /^[ \t]*/.exec(after)?.[0].length ?? 0;
    // Blanks before and after the break are deleted.
    const trailing =
      before === '' ? (/[ \t]*$/.exec(model.getLineContent(lineNumber).slice(0, column - 1))?.[0].length ?? 0) : 0;
    const range = new monaco.Range(lineNumber, column - trailing, selection.endLineNumber, selection.endColumn + blank);
    const indentation = mirror.getState().settings.indentOnEnter
      ? ' '.repeat(newLineColumn(above, after.slice(blank), imageMacros(), packageNear(model, top)))
      : /^[ \t]*/.exec(above.at(-1)!)![0];
    return { range, text: `${before}\n${indentation}`, forceMoveMarkers: true };
  });
  editor.pushUndoStop();
  editor.executeEdits('newline', edits, carets);
  editor.pushUndoStop();
  editor.revealPositionInCenterIfOutsideViewport(editor.getPosition()!);
}
