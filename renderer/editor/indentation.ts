/** Enter and Tab in Lisp text: a line is indented by the form that it is in. */
import { indentAfter, reindent } from '../sexp/indent.ts';
import { LISP } from './language.ts';
import { monaco } from './monaco.ts';

/** Lines before the caret that the indentation is computed from. */
const WINDOW = 400;

const IN_LISP = `editorTextFocus && !editorReadonly && editorLangId == ${LISP}`;

export function installIndentation(editor: monaco.editor.IStandaloneCodeEditor): void {
  editor.addAction({
    id: 'lisp.newline',
    label: 'New Line',
    keybindings: [monaco.KeyCode.Enter],
    precondition: IN_LISP,
    run: () => breakLine(editor),
  });
  editor.addAction({
    id: 'lisp.indent',
    label: 'Indent by the Form',
    // Outdenting by a fixed width means nothing in Lisp: both directions indent as the form has it.
    keybindings: [monaco.KeyCode.Tab, monaco.KeyMod.Shift | monaco.KeyCode.Tab],
    precondition: `${IN_LISP} && !editorTabMovesFocus`,
    run: () => indentSelections(editor),
  });
}

/** Re-indents the lines of every selection. A caret before the line's text goes to the text, any other stays in its place. */
function indentSelections(editor: monaco.editor.IStandaloneCodeEditor): void {
  const model = editor.getModel();
  const selections = editor.getSelections();
  if (!model || !selections) return;
  const lines = model.getLinesContent();
  const edits = new Map<number, monaco.editor.IIdentifiedSingleEditOperation>();
  for (const { startLineNumber, endLineNumber, endColumn } of selections) {
    // A selection that ends before a line's first character does not mean that line.
    const last = endColumn === 1 && endLineNumber > startLineNumber ? endLineNumber - 1 : endLineNumber;
    for (const { line, blank, had } of reindent(lines, startLineNumber - 1, last - 1)) {
      edits.set(line, { range: new monaco.Range(line + 1, 1, line + 1, had + 1), text: blank });
    }
  }
  editor.pushUndoStop();
  editor.executeEdits('indent', [...edits.values()]);
  editor.pushUndoStop();
  editor.setSelections((editor.getSelections() ?? selections).map((selection) => pastBlank(model, selection)));
}

function pastBlank(model: monaco.editor.ITextModel, selection: monaco.Selection): monaco.Selection {
  if (!selection.isEmpty()) return selection;
  const { positionLineNumber: line, positionColumn: column } = selection;
  const text = /\S/.exec(model.getLineContent(line))?.index ?? model.getLineLength(line);
  const to = Math.max(column, text + 1);
  return new monaco.Selection(line, to, line, to);
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
