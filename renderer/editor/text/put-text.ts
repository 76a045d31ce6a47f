/** Putting another text into a model by what differs alone, so that carets, folds and marks stay in what is the same. */
import { changedParts } from './changed-parts.ts';
import { monaco } from '../monaco/monaco.ts';

/** Makes `text` the model's, as a step of its own that can be undone. The model keeps its line ends. */
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
