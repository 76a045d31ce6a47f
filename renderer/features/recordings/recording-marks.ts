/**
 * The forms whose values are recorded, in the text: an underline that moves with edits, and behind it the newest value, or the one that is
 * replayed, with the number of evaluations. Marks of a text that is closed come back with it, where it is what it was.
 */
import { notify } from '../../base/notices/notices.tsx';
import { noteStale, recordings, showRecordingsOf } from './recordings-store.ts';
import { type MarkedForm, outcomeOf, shownBeside } from './recordings.ts';
import { bufferOf } from '../../editor/text/buffers.ts';
import { drawChips, type Piece, SPACE, STICKINESS } from '../../editor/monaco/inline-chips.ts';
import { monaco } from '../../editor/monaco/monaco.ts';

type Model = monaco.editor.ITextModel;

/** The place of a marked form: in a model, or in a file that is closed, where it stood in the whole text then. */
type Place =
  | { readonly model: Model; anchor: string; decorations: string[] }
  | { readonly model: null; readonly start: number; readonly end: number; readonly text: string };

/** A click on what stands behind a marked form. */
export interface RecordingTarget {
  readonly recording: string;
}

const places = new Map<string, Place>();
const watched = new WeakSet<Model>();

/** Has a form that was marked stand in a range of a model. */
export function anchorForm(form: string, model: Model, range: monaco.Range): void {
  clear(form);
  const [anchor = ''] = model.deltaDecorations([], [{ range, options: { stickiness: STICKINESS } }]);
  places.set(form, { model, anchor, decorations: [] });
  watch(model);
}

/** The range of a marked form in the model that has it; null where its text is closed or gone. */
export function placeOfForm(form: string): { readonly model: Model; readonly range: monaco.Range } | null {
  const place = places.get(form);
  const range = place?.model?.getDecorationRange(place.anchor) ?? null;
  return place?.model && range ? { model: place.model, range } : null;
}

/** The marked form of exactly this range; null where it is none. */
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

/** Keeps what stands in all texts in step with what is recorded, from the first editor on. */
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

/** Notes of the marked forms in a model which are not what was compiled any more, and which are again. */
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

/** Has the marks of a file that is opened again stand in it. Where the file is another than it was, they are told. */
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
