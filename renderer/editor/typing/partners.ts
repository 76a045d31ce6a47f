/**
 * Closers that were inserted automatically as partners of typed characters and still exist. They move with the text, and undo and redo
 * restore them.
 */
import { monaco } from '../monaco/monaco.ts';

/** The number of text versions whose partners are stored. */
const MOST_VERSIONS = 1000;
/** The maximum number of partners at a time. Older partners become ordinary text, because each key checks all partners. */
const MOST_STANDING = 100;

export class Partners {
  readonly #editor: monaco.editor.IStandaloneCodeEditor;
  readonly #marks: monaco.editor.IEditorDecorationsCollection;
  /** The partners in earlier text versions, by version id. When undo restores a text, the editor also restores its version id. */
  readonly #versions = new Map<number, Places>();
  readonly #listening: readonly monaco.IDisposable[];

  constructor(editor: monaco.editor.IStandaloneCodeEditor) {
    this.#editor = editor;
    this.#marks = editor.createDecorationsCollection();
    this.#listening = [
      editor.onDidChangeModel(() => this.#versions.clear()),
      editor.onDidChangeModelContent(({ isUndoing, isRedoing }) => {
        // The text gets its old version id back only after this event.
        if (isUndoing || isRedoing) queueMicrotask(() => this.#recall());
        else this.#remember();
      }),
    ];
  }

  dispose(): void {
    for (const each of this.#listening) each.dispose();
    this.#marks.clear();
  }

  /** True if the character after a position is a partner. */
  isAt({ lineNumber, column }: monaco.IPosition): boolean {
    return this.#standing().some(
      (range) => range.startLineNumber === lineNumber && range.startColumn === column && range.endColumn === column + 1,
    );
  }

  /** Makes the characters after these carets partners. */
  add(carets: readonly monaco.Selection[]): void {
    this.#mark([
      ...this.#standing(),
      ...carets.map(
        ({ positionLineNumber: line, positionColumn: column }) => new monaco.Range(line, column, line, column + 1),
      ),
    ]);
    this.#remember();
  }

  #standing(): monaco.Range[] {
    return this.#marks.getRanges().filter((range) => !range.isEmpty());
  }

  #mark(ranges: readonly monaco.Range[]): void {
    const stickiness = monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges;
    this.#marks.set(ranges.slice(-MOST_STANDING).map((range) => ({ range, options: { stickiness } })));
  }

  #remember(): void {
    const version = this.#editor.getModel()?.getAlternativeVersionId();
    const standing = this.#standing();
    if (version === undefined || (standing.length === 0 && this.#versions.size === 0)) return;
    this.#versions.delete(version);
    this.#versions.set(version, placesOf(standing));
    if (this.#versions.size > MOST_VERSIONS) this.#versions.delete(this.#versions.keys().next().value!);
  }

  #recall(): void {
    const version = this.#editor.getModel()?.getAlternativeVersionId();
    const known = version === undefined ? undefined : this.#versions.get(version);
    if (known) this.#mark(rangesAt(known));
  }
}

/** The line and column of each partner, in one flat array, because an array is stored for each pressed key. */
type Places = Int32Array;

function placesOf(ranges: readonly monaco.Range[]): Places {
  return Int32Array.from(ranges.flatMap(({ startLineNumber, startColumn }) => [startLineNumber, startColumn]));
}

function rangesAt(places: Places): monaco.Range[] {
  return Array.from({ length: places.length / 2 }, (_, index) => {
    const [line, column] = [places[2 * index]!, places[2 * index + 1]!];
    return new monaco.Range(line, column, line, column + 1);
  });
}
