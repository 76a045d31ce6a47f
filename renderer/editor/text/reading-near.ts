/** The forms around a position in a text. If the text is too large, only the part around the position is parsed. */
import { type Reading, readText } from '#contract/sexp/reader.ts';
import { linesAround } from '../../sexp/reading/column-zero.ts';
import { readingOf } from '../groups/active-editor.ts';
import { isLarge } from './large-texts.ts';
import { monaco } from '../monaco/monaco.ts';

export interface NearReading {
  readonly text: string;
  readonly reading: Reading;
  /** The offset in the model at which `text` starts. */
  readonly base: number;
}

/** Returns the forms around a line. Returns null if the text is too large and no form near the line starts in the first column. */
export function readingNear(model: monaco.editor.ITextModel, line: number): NearReading | null {
  if (!isLarge(model)) return { ...readingOf(model), base: 0 };
  const lines = { lineAt: (at: number) => model.getLineContent(at), count: () => model.getLineCount() };
  const part = linesAround(lines, line);
  if (!part) return null;
  const range = new monaco.Range(part.first, 1, part.last, model.getLineMaxColumn(part.last));
  const text = model.getValueInRange(range);
  return { text, reading: readText(text), base: model.getOffsetAt(range.getStartPosition()) };
}
