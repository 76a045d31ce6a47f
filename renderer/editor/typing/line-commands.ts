/**
 * Keys that delete, cut, copy and comment whole lines of Lisp text. The closers of surrounding forms stay, and each command is one undoable
 * step.
 */
import { toggledComment } from '../../sexp/structure/comment-lines.ts';
import { deletedLines, linesAlone, unwraps } from '../../sexp/structure/delete-lines.ts';
import { caretAfter, type Edit, edited, type Span } from '../../sexp/structure/edits.ts';
import { copiedLines } from '../../sexp/structure/swap-lines.ts';
import { activeEditor } from '../groups/active-editor.ts';
import { editsOfModel, type GuardedLines, guardedLines, isRefused } from './guarded-lines.ts';
import { indentingEdits } from './indentation.ts';
import { LISP } from '../monaco/language.ts';
import { blocksOf } from './line-blocks.ts';
import { monaco } from '../monaco/monaco.ts';

type Editor = monaco.editor.IStandaloneCodeEditor;

const SOURCE = 'line-commands';
const IN_LISP = `editorTextFocus && !editorReadonly && editorLangId == ${LISP}`;

export function installLineCommands(editor: Editor): void {
  const add = (id: string, label: string, key: number, run: () => void): void => {
    editor.addAction({ id, label, keybindings: [key], precondition: IN_LISP, run });
  };
  const { CtrlCmd, Alt, Shift, chord } = monaco.KeyMod;
  const { KeyC, KeyK, KeyU, Slash, UpArrow, DownArrow } = monaco.KeyCode;
  add('lisp.deleteLines', 'Delete Line', CtrlCmd | Shift | KeyK, () => removeLines(editor));
  add('lisp.commentLines', 'Toggle Line Comment', CtrlCmd | Slash, () => comment(editor, 'toggle'));
  add('lisp.addComments', 'Add Line Comment', chord(CtrlCmd | KeyK, CtrlCmd | KeyC), () => comment(editor, 'comment'));
  add('lisp.removeComments', 'Remove Line Comment', chord(CtrlCmd | KeyK, CtrlCmd | KeyU), () =>
    comment(editor, 'code'),
  );
  add('lisp.copyLinesUp', 'Copy Line Up', CtrlCmd | Shift | Alt | UpArrow, () => copy(editor, 'Up'));
  add('lisp.copyLinesDown', 'Copy Line Down', CtrlCmd | Shift | Alt | DownArrow, () => copy(editor, 'Down'));
  editor.getContainerDomNode().addEventListener('cut', (event) => cut(editor, event), { capture: true });
}

/** Toggles comments on the lines at the carets of the visible editor. */
export function commentShown(): void {
  const editor = activeEditor();
  editor?.focus();
  if (editor) comment(editor, 'toggle');
}

const COMMENTING = {
  toggle: 'editor.action.commentLine',
  comment: 'editor.action.addCommentLine',
  code: 'editor.action.removeCommentLine',
} as const;

function comment(editor: Editor, way: keyof typeof COMMENTING): void {
  const blocks = blocksOf(editor.getSelections() ?? []);
  const guarded = guardedAround(editor);
  const effect = guarded ? toggledComment(guarded.around.text, guarded.lines, way) : 'plain';
  if (isRefused(editor, effect)) return;
  // The guarded edit covers all lines from the first selection to the last, so if there are several blocks of lines, let the editor comment
  // only the blocks themselves.
  if (!guarded || typeof effect === 'string' || blocks.length > 1) return editor.trigger(SOURCE, COMMENTING[way], null);
  apply(editor, guarded, effect, caretsAfter(editor, guarded, effect));
}

function copy(editor: Editor, direction: 'Up' | 'Down'): void {
  const selections = editor.getSelections() ?? [];
  const guarded = guardedAround(editor);
  const effect = guarded ? copiedLines(guarded.around.text, guarded.lines) : 'plain';
  if (isRefused(editor, effect)) return;
  if (!guarded || typeof effect === 'string' || blocksOf(selections).length > 1)
    return editor.trigger(SOURCE, `editor.action.copyLines${direction}Action`, null);
  apply(editor, guarded, effect, direction === 'Up' ? selections : caretsAfter(editor, guarded, effect));
}

/** Cuts lines without the closers of the forms around them. As in the editor, whole lines are cut if nothing is selected. */
function cut(editor: Editor, event: ClipboardEvent): void {
  const selections = editor.getSelections() ?? [];
  if (!event.clipboardData || !editor.hasTextFocus() || selections.some((each) => !each.isEmpty())) return;
  const model = editor.getModel();
  const guarded = guardedAround(editor);
  if (!model || !guarded || editor.getOption(monaco.editor.EditorOption.readOnly)) return;
  const { text } = guarded.around;
  const lines = wholeLines(editor, guarded);
  if (!deletedLines(text, lines)) return;
  event.preventDefault();
  event.stopPropagation();
  event.clipboardData.setData('text/plain', linesAlone(text, lines));
  removeLines(editor);
}

function removeLines(editor: Editor): void {
  const guarded = guardedAround(editor);
  const lines = guarded ? wholeLines(editor, guarded) : [];
  const edits = guarded && deletedLines(guarded.around.text, lines);
  if (!edits) return editor.trigger(SOURCE, 'editor.action.deleteLines', null);
  // Each caret keeps its column, in the line that takes the place of its line.
  const columns = (editor.getSelections() ?? []).map(({ positionColumn }) => positionColumn);
  const carets = caretsAfter(editor, guarded, edits).map(
    ({ positionLineNumber: line }, index) => new monaco.Selection(line, columns[index]!, line, columns[index]!),
  );
  apply(editor, guarded, edits, carets, unwraps(guarded.around.text, lines));
}

/** Returns the guarded forms around all selected lines, from the first to the last. */
function guardedAround(editor: Editor): GuardedLines | null {
  const model = editor.getModel();
  const blocks = blocksOf(editor.getSelections() ?? []);
  const [first] = blocks;
  return model && first ? guardedLines(model, { first: first.first, last: blocks.at(-1)!.last }) : null;
}

/** Returns the selected lines, each with its line break. For the last line of a text, this is the preceding line break. */
function wholeLines(editor: Editor, { around }: GuardedLines): Span[] {
  const count = editor.getModel()!.getLineCount();
  return blocksOf(editor.getSelections() ?? []).map(({ first, last }) => {
    const start = around.offsetOf({ lineNumber: first, column: 1 });
    return last < count
      ? { start, end: around.offsetOf({ lineNumber: last + 1, column: 1 }) }
      : { start: Math.max(0, start - 1), end: around.text.length };
  });
}

/**
 * Applies the edits, and indents the new lines that start in them, as one undoable step. With `all`, indents all lines between the edits.
 */
function apply(
  editor: Editor,
  guarded: GuardedLines,
  edits: readonly Edit[],
  carets: readonly monaco.Selection[],
  all = false,
): void {
  const model = editor.getModel()!;
  const first = lineAfter(guarded, edits, edits[0]!.start);
  const begun = edits
    .filter(({ text }) => text.startsWith('\n'))
    .map(({ start }) => lineAfter(guarded, edits, start) + 1);
  editor.pushUndoStop();
  editor.executeEdits(SOURCE, editsOfModel(guarded, edits), [...carets]);
  const indented = all
    ? indentingEdits(model, first, lineAfter(guarded, edits, edits.at(-1)!.end))
    : begun.flatMap((line) => indentingEdits(model, line, line));
  editor.executeEdits(SOURCE, indented);
  editor.pushUndoStop();
  editor.revealPosition(editor.getPosition()!);
}

/** Returns the line that will contain the text at `offset` after the edits. */
function lineAfter({ around }: GuardedLines, edits: readonly Edit[], offset: number): number {
  const before = edited(around.text, edits).slice(0, caretAfter(edits, offset));
  return around.placeOf(0).lineNumber + before.split('\n').length - 1;
}

/** Returns the carets and selections as they are after the edits have moved their text. */
function caretsAfter(editor: Editor, { around }: GuardedLines, edits: readonly Edit[]): monaco.Selection[] {
  const first = around.placeOf(0).lineNumber;
  const after = edited(around.text, edits);
  const placeAfter = (place: monaco.IPosition): monaco.Position => {
    const before = after.slice(0, caretAfter(edits, around.offsetOf(place))).split('\n');
    return new monaco.Position(first + before.length - 1, before.at(-1)!.length + 1);
  };
  return (editor.getSelections() ?? []).map((selection) =>
    monaco.Selection.fromPositions(
      placeAfter({ lineNumber: selection.selectionStartLineNumber, column: selection.selectionStartColumn }),
      placeAfter(selection.getPosition()),
    ),
  );
}
