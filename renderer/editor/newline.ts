/** Enter in Lisp text: a new line, indented at once by the form it is in. */
import { indentAfter } from '../sexp/indent.ts';
import { LISP } from './language.ts';
import { monaco } from './monaco.ts';

/** Lines before the caret that the indentation is computed from. */
const WINDOW = 400;

export function installNewline(editor: monaco.editor.IStandaloneCodeEditor): void {
  editor.addAction({
    id: 'lisp.newline',
    label: 'New Line',
    keybindings: [monaco.KeyCode.Enter],
    precondition: `editorTextFocus && !editorReadonly && editorLangId == ${LISP}`,
    run: () => breakLine(editor),
  });
}

function breakLine(editor: monaco.editor.IStandaloneCodeEditor): void {
  const model = editor.getModel();
  const selections = editor.getSelections();
  if (!model || !selections) return;
  const edits = selections.map((selection) => {
    const { lineNumber, column } = selection.getStartPosition();
    const before = model.getValueInRange(new monaco.Range(Math.max(1, lineNumber - WINDOW), 1, lineNumber, column));
    const after = model.getLineContent(selection.endLineNumber).slice(selection.endColumn - 1);
    const blank = /^[ \t]*/.exec(after)?.[0].length ?? 0;
    // Blank space before the break goes, and what stood before the rest of the line does too.
    const trailing = /[ \t]*$/.exec(model.getLineContent(lineNumber).slice(0, column - 1))?.[0].length ?? 0;
    const range = new monaco.Range(lineNumber, column - trailing, selection.endLineNumber, selection.endColumn + blank);
    return { range, text: `\n${' '.repeat(indentAfter(before))}`, forceMoveMarkers: true };
  });
  editor.pushUndoStop();
  editor.executeEdits('newline', edits);
  editor.pushUndoStop();
  editor.revealPositionInCenterIfOutsideViewport(editor.getPosition()!);
}
