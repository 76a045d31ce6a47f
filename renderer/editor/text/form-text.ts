/**
 * The text of the top-level form around a position. Structural editing reads only this text, so its speed does not depend on the file's
 * length.
 */
import { monaco } from '../monaco/monaco.ts';
import { topLevelsOf } from './top-levels.ts';

/** A part of a model's text, with line feeds as line ends. Positions in the model are converted to offsets in this part. */
export class FormText {
  readonly text: string;
  readonly #first: number;
  readonly #starts: number[] = [];

  /**
   * Reads the form around a line, and `neighbours` forms on each side of it. With `lastLine`, reads all forms from `line` to `lastLine` and
   * their neighbours.
   */
  constructor(model: monaco.editor.ITextModel, line: number, neighbours = 0, lastLine = line) {
    const forms = topLevelsOf(model);
    const { first } = forms.around(line, neighbours);
    const { last } = forms.around(lastLine, neighbours);
    this.#first = first;
    const lines: string[] = [];
    let start = 0;
    for (let at = first; at <= last; at += 1) {
      const content = model.getLineContent(at);
      lines.push(content);
      this.#starts.push(start);
      start += content.length + 1;
    }
    this.text = lines.join('\n');
  }

  /** True if a position is in this part. */
  holds({ lineNumber }: monaco.IPosition): boolean {
    return lineNumber >= this.#first && lineNumber < this.#first + this.#starts.length;
  }

  offsetOf({ lineNumber, column }: monaco.IPosition): number {
    return this.#starts[lineNumber - this.#first]! + column - 1;
  }

  placeOf(offset: number): monaco.Position {
    const line = this.#starts.findLastIndex((start) => start <= offset);
    return new monaco.Position(this.#first + line, offset - this.#starts[line]! + 1);
  }

  rangeOf(start: number, end: number): monaco.Range {
    return monaco.Range.fromPositions(this.placeOf(start), this.placeOf(end));
  }
}
