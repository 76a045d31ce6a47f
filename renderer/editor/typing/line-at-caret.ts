/** The line around the caret, in the focused REPL input or otherwise in the editor. */
import { inputCaret } from '../../base/image/input-caret.ts';
import { activeEditor } from '../groups/active-editor.ts';

export interface CaretLine {
  readonly line: string;
  /** The number of UTF-16 code units of the line before the caret. */
  readonly index: number;
}

/** Returns the line that contains the caret; null if no text is shown. */
export function lineAtCaret(): CaretLine | null {
  const input = inputCaret();
  if (input) {
    const start = input.text.lastIndexOf('\n', input.caret - 1) + 1;
    return { line: input.text.slice(start).split('\n', 1)[0]!, index: input.caret - start };
  }
  const editor = activeEditor();
  const place = editor?.getPosition();
  const line = place && editor?.getModel()?.getLineContent(place.lineNumber);
  return line === undefined || place == null ? null : { line: line ?? '', index: place.column - 1 };
}
