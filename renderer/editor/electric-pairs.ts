/** Electric pairs in the editor: parentheses and quotes that are typed, by {@link typedAt}, at every caret. */
import { isEmptyPair, PAIRED, topLevelLines, type Typed, typedAt } from '../sexp/pairs.ts';
import { LISP } from './language.ts';
import { monaco } from './monaco.ts';

type Editor = monaco.editor.IStandaloneCodeEditor;

const SOURCE = 'electric-pairs';

/** Pairs of every editor that has them, so that the one command `type` finds those of the editor with the focus. */
const installed = new Map<Editor, ElectricPairs>();
let overridden = false;

/** Takes over typed parentheses and quotes in Lisp text. The editor's own pairing knows nothing of what it put in before a line break. */
export function installElectricPairs(editor: Editor): monaco.IDisposable {
  if (!overridden) {
    overridden = true;
    monaco.editor.addCommand({ id: 'type', run: (_accessor, given: { text: string }) => type(given) });
  }
  const pairs = new ElectricPairs(editor);
  editor.addAction({
    id: 'lisp.deleteLeft',
    label: 'Delete Left',
    keybindings: [monaco.KeyCode.Backspace],
    precondition: `editorTextFocus && !editorReadonly && editorLangId == ${LISP}`,
    run: () => {
      if (!pairs.deleteEmptyPairs()) editor.trigger('keyboard', 'deleteLeft', null);
    },
  });
  installed.set(editor, pairs);
  return {
    dispose: () => {
      installed.delete(editor);
      pairs.dispose();
    },
  };
}

function type(given: { text: string }): void {
  const editor = monaco.editor.getEditors().find((each) => each.hasTextFocus());
  if (!editor) return;
  const pairs = installed.get(editor as Editor);
  if (!pairs?.serves() || given.text.length === 1) {
    if (!pairs?.type(given.text)) editor.trigger('keyboard', 'type', given);
    return;
  }
  // Several characters at once come from an input method, dictation or a program: they are text as it stands.
  editor.trigger(SOURCE, 'type', given);
}

class ElectricPairs {
  readonly #editor: Editor;
  /** The partners that were put in and still stand. */
  readonly #partners: monaco.editor.IEditorDecorationsCollection;
  readonly #composed: monaco.IDisposable;

  constructor(editor: Editor) {
    this.#editor = editor;
    this.#partners = editor.createDecorationsCollection();
    this.#composed = editor.onDidCompositionEnd(() => this.#afterComposition());
  }

  dispose(): void {
    this.#composed.dispose();
    this.#partners.clear();
  }

  serves(): boolean {
    const model = this.#editor.getModel();
    return (
      model !== null && model.getLanguageId() === LISP && !this.#editor.getOption(monaco.editor.EditorOption.readOnly)
    );
  }

  /** Types a character at every caret; false where that is left to the editor. */
  type(char: string): boolean {
    if (!PAIRED.has(char) || !this.serves()) return false;
    const selections = this.#editor.getSelections() ?? [];
    // What is selected is surrounded or replaced.
    if (selections.length === 0 || selections.some((selection) => !selection.isEmpty())) return false;
    const places = selections.map((selection) => selection.getPosition());
    const typed = places.map((place) => this.#typedAt(char, place));
    if (typed.every((each) => each === 'plain')) return false;
    this.#apply(char, places, typed);
    return true;
  }

  /** Deletes the empty lists and strings around all carets; false where one stands in none. */
  deleteEmptyPairs(): boolean {
    const selections = this.#editor.getSelections() ?? [];
    if (!selections.every((selection) => selection.isEmpty() && this.#isInEmptyPair(selection.getPosition())))
      return false;
    const edits = selections.map(({ positionLineNumber: line, positionColumn: column }) => ({
      range: new monaco.Range(line, column - 1, line, column + 1),
      text: '',
    }));
    this.#editor.pushUndoStop();
    return this.#editor.executeEdits(SOURCE, edits);
  }

  #isInEmptyPair(place: monaco.Position): boolean {
    const { text, caret } = this.#around(place);
    return isEmptyPair(text, caret);
  }

  #typedAt(char: string, place: monaco.Position): Typed {
    const { text, caret } = this.#around(place);
    return typedAt(char, text, caret, this.#isPartner(place.lineNumber, place.column));
  }

  /** The top-level form around a place, and the place in it. */
  #around({ lineNumber, column }: monaco.Position): { text: string; caret: number } {
    const model = this.#editor.getModel()!;
    const { first, last } = topLevelLines((line) => model.getLineContent(line), model.getLineCount(), lineNumber);
    const { LF } = monaco.editor.EndOfLinePreference;
    const text = model.getValueInRange(new monaco.Range(first, 1, last, model.getLineMaxColumn(last)), LF);
    const caret = model.getValueInRange(new monaco.Range(first, 1, lineNumber, column), LF).length;
    return { text, caret };
  }

  #isPartner(line: number, column: number): boolean {
    return this.#partners
      .getRanges()
      .some(
        (range) => range.startLineNumber === line && range.startColumn === column && range.endColumn === column + 1,
      );
  }

  #apply(char: string, places: monaco.Position[], typed: Typed[]): void {
    const partner = char === '(' ? ')' : char;
    const edits = places.flatMap((place, index) => {
      const each = typed[index]!;
      if (each === 'over') return [];
      return [{ range: monaco.Range.fromPositions(place), text: each === 'pair' ? char + partner : char }];
    });
    const carets = caretsAfter(places, typed);
    if (edits.length === 0) {
      this.#editor.setSelections(carets, SOURCE);
    } else {
      this.#editor.pushUndoStop();
      this.#editor.executeEdits(SOURCE, edits, carets);
      this.#keepPartners(carets.filter((_, index) => typed[index] === 'pair'));
    }
    this.#editor.revealPosition(carets[0]!.getPosition());
  }

  #keepPartners(carets: monaco.Selection[]): void {
    const standing = this.#partners.getRanges().filter((range) => !range.isEmpty());
    const added = carets.map(
      ({ positionLineNumber: line, positionColumn: column }) => new monaco.Range(line, column, line, column + 1),
    );
    this.#partners.set(
      [...standing, ...added].map((range) => ({
        range,
        options: { stickiness: monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges },
      })),
    );
  }

  /** A closer that came by a composition stands beside the one that it should have passed over. */
  #afterComposition(): void {
    const model = this.#editor.getModel();
    const selections = this.#editor.getSelections() ?? [];
    if (!model || !this.serves() || selections.some((selection) => !selection.isEmpty())) return;
    const doubled = selections.map((selection) => {
      const { lineNumber, column } = selection.getPosition();
      const around = new monaco.Range(lineNumber, Math.max(1, column - 1), lineNumber, column + 1);
      const text = model.getValueInRange(around);
      return (text === '))' || text === '""') && this.#isPartner(lineNumber, column)
        ? [{ range: new monaco.Range(lineNumber, column, lineNumber, column + 1), text: '' }]
        : [];
    });
    this.#editor.executeEdits(SOURCE, doubled.flat());
  }
}

/** Where the carets stand once each has typed, in the order given. */
function caretsAfter(places: readonly monaco.Position[], typed: readonly Typed[]): monaco.Selection[] {
  const inserted = { over: 0, plain: 1, pair: 2 };
  return places.map(({ lineNumber, column }) => {
    const earlier = places.reduce(
      (sum, other, index) =>
        other.lineNumber === lineNumber && other.column < column ? sum + inserted[typed[index]!] : sum,
      0,
    );
    const caret = column + earlier + 1;
    return new monaco.Selection(lineNumber, caret, lineNumber, caret);
  });
}
