/**
 * Marks the recorded forms in the text with an underline that moves with edits. A chip after the form shows the newest or the replayed
 * value and the number of evaluations. The marks of a closed text return when it is opened again unchanged.
 */
import { notify } from '../../base/notices/notices.tsx';
import { noteStale, recordings, showRecordingsOf } from './recordings-store.ts';
import { type MarkedForm, outcomeOf, shownBeside } from './recordings.ts';
import { bufferOf } from '../../editor/text/buffers.ts';
import { drawChips, type Piece, SPACE, STICKINESS } from '../../editor/monaco/inline-chips.ts';
import { monaco } from '../../editor/monaco/monaco.ts';

type Model = monaco.editor.ITextModel;

/** The position of a marked form: in a model, or in a closed file as its offsets in the text when it was closed. */
type Place =
  | { readonly model: Model; anchor: string; decorations: string[] }
  | { readonly model: null; readonly start: number; readonly end: number; readonly text: string };

/** The target of a click on the chip after a marked form. */
export interface RecordingTarget {
  readonly recording: string;
}

const places = new Map<string, Place>();
const watched = new WeakSet<Model>();

/** Places a marked form at a range of a model. */
export function anchorForm(form: string, model: Model, range: monaco.Range): void {
  clear(form);
  const [anchor = ''] = model.deltaDecorations([], [{ range, options: { stickiness: STICKINESS } }]);
  places.set(form, { model, anchor, decorations: [] });
  watch(model);
}

/** Returns the range of a marked form and its model; null if its text is closed or deleted. */
export function placeOfForm(form: string): { readonly model: Model; readonly range: monaco.Range } | null {
  const place = places.get(form);
  const range = place?.model?.getDecorationRange(place.anchor) ?? null;
  return place?.model && range ? { model: place.model, range } : null;
}

/** Returns the marked form with exactly this range, or null. */
export function markedFormAt(model: Model, range: monaco.Range): MarkedForm | null {
  const isThere = ({ form }: MarkedForm): boolean => {
    const place = placeOfForm(form);
    return place?.model === model && place.range.equalsRange(range);
  };
  return recordings.getState().forms.find(isThere) ?? null;
}

function clear(form: string): void {
  const place = places.get(form);
  if (place?.model && !place.model.isDisposed()) place.model.deltaDecorations([place.anchor, ...place.decorations], []);
  places.delete(form);
}

let draws = false;

/** Keeps the marks in all texts up to date with the recordings, starting with the first editor. */
export function installRecordingMarks(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
  if (!draws) {
    draws = true;
    recordings.subscribe((state, before) => {
      if (state.forms === before.forms && state.chosen === before.chosen && state.evaluations === before.evaluations)
        return;
      for (const form of places.keys()) if (!state.forms.some((each) => each.form === form)) clear(form);
      for (const form of state.forms) draw(form);
    });
  }
  return editor.onDidChangeModel(() => comeBack(editor.getModel()));
}

function draw(form: MarkedForm): void {
  const place = places.get(form.form);
  const range = place?.model?.getDecorationRange(place.anchor);
  if (!place?.model || !range) return;
  const { evaluations, chosen } = recordings.getState();
  const shown = shownBeside(form, evaluations, chosen);
  const kind = form.stale ? 'recorded-stale' : shown?.isChosen ? 'recorded-chosen' : 'recorded-form';
  const marked = { range, options: { stickiness: STICKINESS, inlineClassName: kind } };
  place.model.deltaDecorations(place.decorations, []);
  place.decorations = [
    ...place.model.deltaDecorations([], [marked]),
    ...drawChips(place.model, range, piecesOf(form, shown)),
  ];
}

function piecesOf(form: MarkedForm, shown: ReturnType<typeof shownBeside>): Piece[] {
  const target: RecordingTarget = { recording: form.form };
  const aside = (text: string): Piece => ({ text, className: 'inline-chip inline-time' });
  if (form.stale) return [aside(`changed${SPACE}·${SPACE}record it again`)];
  if (!shown) return [aside(form.count === 0 ? 'records' : `×${form.count.toLocaleString('en')}, values not stored`)];
  const failed = shown.evaluation.kind === 'values' ? '' : ' inline-failed';
  const number = form.count.toLocaleString('en');
  return [
    {
      text: `→ ${outcomeOf(shown.evaluation)}`,
      className: `inline-chip inline-value inline-live${failed}`,
      target,
    },
    { ...aside(`${SPACE}×${number}${shown.isChosen ? `${SPACE}replayed` : ''}`), target },
  ];
}

/** Updates which marked forms in a model differ from their compiled text. */
export function noteStaleIn(model: Model): void {
  for (const { form, code } of recordings.getState().forms) {
    const place = placeOfForm(form);
    if (place?.model === model) noteStale(form, model.getValueInRange(place.range) !== code);
  }
}

function watch(model: Model): void {
  if (watched.has(model)) return;
  watched.add(model);
  model.onDidChangeContent(() => noteStaleIn(model));
  model.onWillDispose(() => {
    for (const [form, place] of places) {
      const range = place.model === model ? model.getDecorationRange((place as { anchor: string }).anchor) : null;
      if (!range) continue;
      const [start, end] = [model.getOffsetAt(range.getStartPosition()), model.getOffsetAt(range.getEndPosition())];
      places.set(form, { model: null, start, end, text: model.getValue() });
    }
  });
}

/** Restores the marks of a file that is opened again. If the file has changed since, shows a message instead. */
function comeBack(model: Model | null): void {
  const buffer = bufferOf(model);
  if (!model || !buffer) return;
  for (const each of recordings.getState().forms) {
    const place = places.get(each.form);
    if (!place || place.model !== null || each.file !== (buffer.path ?? buffer.title)) continue;
    if (model.getValue() === place.text) {
      anchorForm(
        each.form,
        model,
        monaco.Range.fromPositions(model.getPositionAt(place.start), model.getPositionAt(place.end)),
      );
      draw(each);
    } else {
      places.delete(each.form);
      notify(
        `${buffer.title} has changed since it was closed: ${each.code} in ${each.definition} is recorded, but shown only in the panel Trace.`,
      );
    }
  }
}

/** Opens the recordings of a marked form whose chip was clicked. */
export function openRecording({ recording }: RecordingTarget): void {
  showRecordingsOf(recording);
}
