/** Structural editing in the editor: runs the pure commands at every caret, as one undoable step. */
import { LISP } from '../monaco/language.ts';
import { activeEditor } from '../groups/active-editor.ts';
import { FormText } from '../text/form-text.ts';
import { indentingEdits } from './indentation.ts';
import { monaco } from '../monaco/monaco.ts';
import { changeBy, type StructureCommand } from '../../sexp/structure/commands.ts';
import { growingSpans, type StructureMove } from '../../sexp/structure/moves.ts';

const SOURCE = 'structure';

/** Returns the editor and its model if Lisp text can be edited; null otherwise. */
export function editableLisp(): {
  editor: monaco.editor.IStandaloneCodeEditor;
  model: monaco.editor.ITextModel;
} | null {
  const editor = activeEditor();
  const model = editor?.getModel();
  if (!editor || model?.getLanguageId() !== LISP || editor.getOption(monaco.editor.EditorOption.readOnly)) return null;
  return { editor, model };
}

/** Runs a command at every caret. If the command splits text into several lines, indents those lines. */
export function editStructure(command: StructureCommand): void {
  const edited = editableLisp();
  if (!edited) return;
  const { editor, model } = edited;
  const selections = editor.getSelections() ?? [];
  // Store carets as decorations, which move with the changes at other carets.
  const marks = model.deltaDecorations(
    [],
    selections.map((range) => ({ range, options: { stickiness: NEVER_GROWS } })),
  );
  editor.pushUndoStop();
  for (const [index, mark] of marks.entries()) {
    const range = model.getDecorationRange(mark);
    if (!range) continue;
    const place = editAt(editor, model, command, range);
    if (place)
      [marks[index]] = model.deltaDecorations(
        [mark],
        [{ range: monaco.Range.fromPositions(place), options: { stickiness: NEVER_GROWS } }],
      ) as [string];
  }
  const carets = marks.map((mark) => model.getDecorationRange(mark)!);
  editor.setSelections(
    carets.map(
      ({ startLineNumber, startColumn, endLineNumber, endColumn }) =>
        new monaco.Selection(startLineNumber, startColumn, endLineNumber, endColumn),
    ),
    SOURCE,
  );
  model.deltaDecorations(marks, []);
  editor.pushUndoStop();
  editor.revealPosition(editor.getPosition()!);
  editor.focus();
}

const NEVER_GROWS = monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges;

/** Changes the text at one caret or selection. Returns the new caret, or null if nothing changed. */
function editAt(
  editor: monaco.editor.IStandaloneCodeEditor,
  model: monaco.editor.ITextModel,
  command: StructureCommand,
  range: monaco.Range,
): monaco.Position | null {
  const before = new FormText(model, range.endLineNumber, 1);
  const end = before.offsetOf(range.getEndPosition());
  const start = before.holds(range.getStartPosition()) ? before.offsetOf(range.getStartPosition()) : end;
  const change = changeBy(command, before.text, { start, end });
  if (!change) return null;
  const old = before.text.slice(change.start, change.end);
  const head = commonStart(old, change.text);
  const tail = commonStart(reversed(old.slice(head)), reversed(change.text.slice(head)));
  const from = change.start + head;
  editor.executeEdits(SOURCE, [
    {
      range: before.rangeOf(from, change.end - tail),
      text: change.text.slice(head, change.text.length - tail),
      forceMoveMarkers: false,
    },
  ]);
  const first = before.placeOf(change.start).lineNumber;
  const last = first + change.text.split('\n').length - 1;
  const after = before.text.slice(0, change.start) + change.text + before.text.slice(change.end);
  const lines = after.slice(0, change.start + change.caret).split('\n');
  const caret = new monaco.Position(before.placeOf(0).lineNumber + lines.length - 1, lines.at(-1)!.length + 1);
  if (last === first) return caret;
  const [mark] = model.deltaDecorations([], [{ range: monaco.Range.fromPositions(caret), options: {} }]) as [string];
  editor.executeEdits(SOURCE, indentingEdits(model, first + 1, last));
  const moved = model.getDecorationRange(mark)!.getStartPosition();
  model.deltaDecorations([mark], []);
  return moved;
}

/** Moves every caret by forms. A caret that cannot move stays where it is. */
export function moveByForm(move: StructureMove): void {
  const editor = activeEditor();
  const model = editor?.getModel();
  if (!editor || model?.getLanguageId() !== LISP) return;
  const moved = (editor.getSelections() ?? []).map((selection) => {
    const place = selection.getPosition();
    const around = new FormText(model, place.lineNumber, 1);
    const to = move(around.text, around.offsetOf(place));
    const { lineNumber, column } = to === null ? place : around.placeOf(to);
    return new monaco.Selection(lineNumber, column, lineNumber, column);
  });
  if (moved.length > 0) editor.setSelections(moved, SOURCE);
  editor.revealPositionInCenterIfOutsideViewport(editor.getPosition()!);
  editor.focus();
}

/** Makes *Expand Selection* and *Shrink Selection* operate on forms. */
export function installFormSelection(): void {
  monaco.languages.registerSelectionRangeProvider(LISP, {
    provideSelectionRanges: (model, positions) =>
      positions.map((position) => {
        const around = new FormText(model, position.lineNumber);
        return growingSpans(around.text, around.offsetOf(position)).map(({ start, end }) => ({
          range: around.rangeOf(start, end),
        }));
      }),
  });
}

/** Returns the length of the common prefix of two texts. */
function commonStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at += 1;
  return at;
}

function reversed(text: string): string {
  return text.split('').toReversed().join('');
}
