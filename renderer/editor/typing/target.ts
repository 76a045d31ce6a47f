/** The focused text, for commands that work both in the editor and in fields. */
import { activeEditor } from '../groups/active-editor.ts';
import { monaco } from '../monaco/monaco.ts';
import { topLevelsOf } from '../text/top-levels.ts';

export interface TextTarget {
  /** The editor; null for a field. */
  readonly editor: EditorPart | null;
  /** The identity of the text: the same object while the text is open. */
  readonly identity: object;
  /**
   * The text around the caret, with line feeds as line ends. In the editor this is the top-level form and its neighbours; in a field, the
   * whole text.
   */
  readonly text: string;
  /**
   * The caret's offset in `text`. The next field is the anchor, the other end of the selection. It may be outside `text`, because the
   * selection may be longer.
   */
  readonly caret: number;
  readonly anchor: number;
  readonly readOnly: boolean;
  /** Returns a part of the whole text. The offsets count as in `text` but may be outside it. */
  slice(start: number, end: number): string;
  /** Replaces a part of the text as one undoable step. Moves the caret to `caret`, or to the end of the new text if omitted. */
  replace(start: number, end: number, text: string, caret?: number): void;
  select(anchor: number, caret: number): void;
}

/** The editor of a target, with methods that convert between positions and offsets. */
interface EditorPart {
  readonly widget: monaco.editor.IStandaloneCodeEditor;
  readonly model: monaco.editor.ITextModel;
  placeOf(offset: number): monaco.Position;
  offsetOf(place: monaco.IPosition): number;
}

export function textTarget(): TextTarget | null {
  const at = document.activeElement;
  if (at instanceof HTMLTextAreaElement && !at.matches('.inputarea')) return fieldTarget(at);
  if (at instanceof HTMLInputElement) return fieldTarget(at);
  const editor = activeEditor();
  return editor?.hasTextFocus() ? editorTarget(editor) : null;
}

function fieldTarget(field: HTMLInputElement | HTMLTextAreaElement): TextTarget {
  const backward = field.selectionDirection === 'backward';
  const [start, end] = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length];
  return {
    editor: null,
    identity: field,
    text: field.value,
    caret: backward ? start : end,
    anchor: backward ? end : start,
    readOnly: field.readOnly || field.disabled,
    slice: (from, to) => field.value.slice(from, to),
    replace(from, to, text, caret = from + text.length) {
      field.setSelectionRange(from, to);
      // Only this command adds the edit to the field's own undo history.
      if (from !== to || text !== '') document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
      field.setSelectionRange(caret, caret);
    },
    select(anchor, caret) {
      field.setSelectionRange(
        Math.min(anchor, caret),
        Math.max(anchor, caret),
        caret < anchor ? 'backward' : 'forward',
      );
    },
  };
}

function editorTarget(widget: monaco.editor.IStandaloneCodeEditor): TextTarget | null {
  const model = widget.getModel();
  const selection = widget.getSelection();
  if (!model || !selection) return null;
  const { first, last } = topLevelsOf(model).around(selection.positionLineNumber, 1);
  const offsets = lineFeedOffsets(model);
  const base = offsets.of({ lineNumber: first, column: 1 });
  const offsetOf = (place: monaco.IPosition): number => offsets.of(place) - base;
  const placeOf = (offset: number): monaco.Position => offsets.placeOf(base + offset);
  const textIn = (range: monaco.IRange): string => model.getValueInRange(range, monaco.editor.EndOfLinePreference.LF);
  const select = (anchor: number, caret: number): void => {
    widget.setSelection(monaco.Selection.fromPositions(placeOf(anchor), placeOf(caret)), 'keys');
    widget.revealPosition(placeOf(caret));
  };
  return {
    editor: { widget, model, placeOf, offsetOf },
    identity: model,
    text: textIn(new monaco.Range(first, 1, last, model.getLineMaxColumn(last))),
    caret: offsetOf(selection.getPosition()),
    anchor: offsetOf({ lineNumber: selection.selectionStartLineNumber, column: selection.selectionStartColumn }),
    readOnly: widget.getOption(monaco.editor.EditorOption.readOnly),
    slice: (start, end) => textIn(monaco.Range.fromPositions(placeOf(start), placeOf(end))),
    replace(start, end, text, caret = start + text.length) {
      widget.pushUndoStop();
      widget.executeEdits('keys', [
        { range: monaco.Range.fromPositions(placeOf(start), placeOf(end)), text, forceMoveMarkers: true },
      ]);
      widget.pushUndoStop();
      select(caret, caret);
    },
    select,
  };
}

/** Converts positions to offsets that count each line end as one character, even if it has two in the file. */
function lineFeedOffsets(model: monaco.editor.ITextModel) {
  const more = model.getEOL().length - 1;
  const of = (place: monaco.IPosition): number => model.getOffsetAt(place) - (place.lineNumber - 1) * more;
  return {
    of,
    placeOf(offset: number): monaco.Position {
      let [low, high] = [1, model.getLineCount()];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (of({ lineNumber: middle, column: 1 }) <= offset) low = middle;
        else high = middle - 1;
      }
      const column = offset - of({ lineNumber: low, column: 1 }) + 1;
      return model.validatePosition({ lineNumber: low, column });
    },
  };
}
