/** Replaces a model's text by changing only the differing parts, so that carets, folds and decorations elsewhere stay in place. */
import { changedParts } from './changed-parts.ts';
import { monaco } from '../monaco/monaco.ts';

/** Makes `text` the model's text, as one undoable step. The model keeps its line ends. */
export function putText(model: monaco.editor.ITextModel, text: string): void {
  const parts = changedParts(model.getValue(), text.replaceAll(/\r\n|\r|\n/g, model.getEOL()));
  if (parts.length === 0) return;
  const edits = parts.map((part) => ({
    range: monaco.Range.fromPositions(model.getPositionAt(part.start), model.getPositionAt(part.end)),
    text: part.text,
  }));
  model.pushStackElement();
  model.pushEditOperations([], edits, () => null);
  model.pushStackElement();
}
