/**
 * The closers that were put in as partners of what was typed, and still stand. They move along with the text, and come back with it
 * when something is taken back or done again.
 */
import { monaco } from '../monaco/monaco.ts';

/** Versions of a text whose partners are remembered. */
const MOST_VERSIONS = 1000;
/** Partners that stand at once, the latest: what was left open long ago is text like any other, and each key looks at all of them. */
const MOST_STANDING = 100;

export class Partners {
  readonly #editor: monaco.editor.IStandaloneCodeEditor;
  readonly #marks: monaco.editor.IEditorDecorationsCollection;
  /** The partners of earlier versions of the text, by the version that the editor gives a text again when it is the same one. */
  readonly #versions = new Map<number, Places>();
  readonly #listening: readonly monaco.IDisposable[];

  constructor(editor: monaco.editor.IStandaloneCodeEditor) {
    this.#editor = editor;
    this.#marks = editor.createDecorationsCollection();
    this.#listening = [
      editor.onDidChangeModel(() => this.#versions.clear()),
      editor.onDidChangeModelContent(({ isUndoing, isRedoing }) => {
        // The text gets the version that it had only after this.
        if (isUndoing || isRedoing) queueMicrotask(() => this.#recall());
        else this.#remember();
      }),
    ];
  }

  dispose(): void {
    for (const each of this.#listening) each.dispose();
    this.#marks.clear();
  }

  /** True when the character behind a place is a partner. */
  isAt({ lineNumber, column }: monaco.IPosition): boolean {
    return this.#standing().some(
      (range) => range.startLineNumber === lineNumber && range.startColumn === column && range.endColumn === column + 1,
    );
  }

  /** Takes the characters behind these carets for partners. */
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

/** Line and column of each partner, one after the other: there is a list of them for each key that was pressed. */
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
