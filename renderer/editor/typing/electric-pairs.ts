/** Electric pairs in the editor: typed parentheses and quotes, handled by {@link typedAt} at every caret. */
import { mirror } from '../../base/mirror.ts';
import {
  commentBreaksLine,
  endsSomething,
  PAIRED,
  replacedPartners,
  surroundingCloser,
  type Typed,
  typedAt,
} from '../../sexp/reading/pairs.ts';
import { outOfList } from '../../sexp/structure/guard.ts';
import { FormText } from '../text/form-text.ts';
import { breakLines } from './indentation.ts';
import { LISP } from '../monaco/language.ts';
import { monaco } from '../monaco/monaco.ts';
import { showNote } from '../monaco/note.ts';
import { Partners } from './partners.ts';

type Editor = monaco.editor.IStandaloneCodeEditor;

const SOURCE = 'electric-pairs';

/** The electric pairs of each editor. The single command `type` uses this map to find those of the focused editor. */
const installed = new Map<Editor, ElectricPairs>();
let overridden = false;

/** Handles typed parentheses and quotes in Lisp text, because Monaco's own pairing forgets its closers at a line break. */
export function installElectricPairs(editor: Editor): monaco.IDisposable {
  if (!overridden) {
    overridden = true;
    monaco.editor.addCommand({ id: 'type', run: (_accessor, given: { text: string }) => type(given) });
  }
  const pairs = new ElectricPairs(editor);
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
    if (pairs?.type(given.text)) return;
    editor.trigger('keyboard', 'type', given);
    pairs?.dropPartners('typed');
    return;
  }
  // If several characters arrive at once, they come from an input method, dictation or a program, so insert them unchanged.
  editor.trigger(SOURCE, 'type', given);
}

class ElectricPairs {
  readonly #editor: Editor;
  readonly #partners: Partners;
  readonly #listening: readonly monaco.IDisposable[];

  constructor(editor: Editor) {
    this.#editor = editor;
    this.#partners = new Partners(editor);
    this.#listening = [
      editor.onDidCompositionEnd(() => this.#afterComposition()),
      editor.onDidPaste(() => this.dropPartners('pasted')),
    ];
  }

  dispose(): void {
    for (const each of this.#listening) each.dispose();
    this.#partners.dispose();
  }

  serves(): boolean {
    const model = this.#editor.getModel();
    return (
      model !== null && model.getLanguageId() === LISP && !this.#editor.getOption(monaco.editor.EditorOption.readOnly)
    );
  }

  /** Types a character at every caret. Returns false if the editor should type the character itself. */
  type(char: string): boolean {
    if (char === ';' && this.serves()) return this.#comment();
    if (!PAIRED.has(char) || !this.serves()) return false;
    const selections = this.#editor.getSelections() ?? [];
    if (selections.length === 0) return false;
    if (selections.some((selection) => !selection.isEmpty())) return this.#surround(char, selections);
    const places = selections.map((selection) => selection.getPosition());
    const typed = places.map((place) => this.#typedAt(char, place));
    if (typed.every((each) => each === 'plain')) return false;
    this.#apply(char, places, typed);
    return true;
  }

  /**
   * Starts a comment, and breaks the line so that the code after the caret is not commented out. Returns false if no line break is needed.
   */
  #comment(): boolean {
    const [selection, ...others] = this.#editor.getSelections() ?? [];
    if (!selection?.isEmpty() || others.length > 0) return false;
    const place = selection.getPosition();
    const around = new FormText(this.#editor.getModel()!, place.lineNumber);
    const caret = { text: around.text, caret: around.offsetOf(place), own: this.#partners.isAt(place) };
    if (!commentBreaksLine(caret, mirror.getState().settings.structuralEditing)) return false;
    const behind = place.delta(0, 1);
    this.#editor.pushUndoStop();
    breakLines(this.#editor, ';', [monaco.Selection.fromPositions(behind)]);
    return true;
  }

  /**
   * Makes the editor surround the selections, and records the inserted closers. Returns false if the editor replaces the selections
   * instead.
   */
  #surround(char: string, selections: readonly monaco.Selection[]): boolean {
    const model = this.#editor.getModel()!;
    const closers = selections.map((each) => surroundingCloser(char, model.getValueInRange(each)));
    if (closers.includes(null)) return false;
    this.#editor.trigger('keyboard', 'type', { text: char });
    this.#partners.add(
      (this.#editor.getSelections() ?? []).map((inner) => monaco.Selection.fromPositions(inner.getEndPosition())),
    );
    return true;
  }

  /** Deletes automatically inserted closers that the typed or pasted text made redundant. */
  dropPartners(came: 'typed' | 'pasted'): void {
    const model = this.#editor.getModel();
    const selections = this.#editor.getSelections() ?? [];
    if (!model || !this.serves()) return;
    const edits = selections.flatMap((selection) => {
      const place = selection.getPosition();
      if (!selection.isEmpty() || !this.#partners.isAt(place)) return [];
      const around = new FormText(model, place.lineNumber);
      const caret = around.offsetOf(place);
      if (came === 'typed' && !endsSomething(around.text, caret)) return [];
      const gone = replacedPartners(around.text, caret, (offset) => this.#partners.isAt(around.placeOf(offset)));
      return gone ? [{ range: around.rangeOf(gone.start, gone.end), text: '' }] : [];
    });
    if (edits.length > 0) this.#editor.executeEdits(SOURCE, edits);
  }

  #typedAt(char: string, place: monaco.Position): Typed {
    const around = new FormText(this.#editor.getModel()!, place.lineNumber);
    const own = this.#partners.isAt(place);
    return typedAt(
      char,
      { text: around.text, caret: around.offsetOf(place), own },
      mirror.getState().settings.structuralEditing,
    );
  }

  #apply(char: string, places: monaco.Position[], typed: Typed[]): void {
    const partner = char === '(' ? ')' : char;
    const edits = places.flatMap((place, index) => {
      const text = { pair: char + partner, plain: char, escape: `\\${char}`, over: char, out: '', refuse: '' }[
        typed[index]!
      ];
      // A character that is typed over replaces itself, so that undo and redo restore the caret.
      const passed = typed[index] === 'over' ? 1 : 0;
      const { lineNumber, column } = place;
      return text === '' ? [] : [{ range: new monaco.Range(lineNumber, column, lineNumber, column + passed), text }];
    });
    const carets = this.#leftLists(places, caretsAfter(places, typed), typed);
    if (edits.length === 0) {
      this.#editor.setSelections(carets, SOURCE);
    } else {
      if (typed.some((each) => each !== 'over')) this.#editor.pushUndoStop();
      this.#editor.executeEdits(SOURCE, edits, carets);
      this.#partners.add(carets.filter((_, index) => typed[index] === 'pair'));
    }
    this.#editor.revealPosition(carets[0]!.getPosition());
    if (typed.every((each) => each === 'refuse')) showNote(this.#editor, 'There is no open parenthesis to close here.');
  }

  /** Returns the carets, with each caret that leaves a list moved after that list. */
  #leftLists(places: monaco.Position[], carets: monaco.Selection[], typed: Typed[]): monaco.Selection[] {
    const model = this.#editor.getModel()!;
    return carets.map((caret, index) => {
      if (typed[index] !== 'out') return caret;
      const around = new FormText(model, places[index]!.lineNumber);
      const to = outOfList(around.text, around.offsetOf(places[index]!));
      if (to === null) return caret;
      const { lineNumber, column } = around.placeOf(to);
      return new monaco.Selection(lineNumber, column, lineNumber, column);
    });
  }

  /** An input method inserts a closer beside the one that it should have typed over. Deletes the extra closer. */
  #afterComposition(): void {
    const model = this.#editor.getModel();
    const selections = this.#editor.getSelections() ?? [];
    if (!model || !this.serves() || selections.some((selection) => !selection.isEmpty())) return;
    const doubled = selections.map((selection) => {
      const { lineNumber, column } = selection.getPosition();
      const around = new monaco.Range(lineNumber, Math.max(1, column - 1), lineNumber, column + 1);
      const text = model.getValueInRange(around);
      return (text === '))' || text === '""') && this.#partners.isAt({ lineNumber, column })
        ? [{ range: new monaco.Range(lineNumber, column, lineNumber, column + 1), text: '' }]
        : [];
    });
    this.#editor.executeEdits(SOURCE, doubled.flat());
  }
}

/** Returns the carets after typing, in the given order. */
function caretsAfter(places: readonly monaco.Position[], typed: readonly Typed[]): monaco.Selection[] {
  const inserted = { over: 0, plain: 1, pair: 2, escape: 2, out: 0, refuse: 0 };
  const moved = { over: 1, plain: 1, pair: 1, escape: 2, out: 0, refuse: 0 };
  return places.map(({ lineNumber, column }, at) => {
    const earlier = places.reduce(
      (sum, other, index) =>
        other.lineNumber === lineNumber && other.column < column ? sum + inserted[typed[index]!] : sum,
      0,
    );
    const caret = column + earlier + moved[typed[at]!];
    return new monaco.Selection(lineNumber, caret, lineNumber, caret);
  });
}
