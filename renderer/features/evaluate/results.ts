/**
 * Results beside the forms that returned them: a chip after the form, and a squiggle at an error. They disappear when the form changes. An
 * error also disappears when its file is compiled or loaded without errors.
 */
import type { EvaluationReport } from '#contract/image/evaluation.ts';
import { drawChips, SPACE, STICKINESS } from '../../editor/monaco/inline-chips.ts';
import { monaco } from '../../editor/monaco/monaco.ts';
import { bufferOf } from '../../editor/text/buffers.ts';
import { forgetProblemsIn } from '../diagnostics/problem-markers.ts';
import { problems } from '../diagnostics/problems.ts';
import { type Mark, markerOf, marksOf } from './result-marks.ts';
import { definedSince, onOtherDefinitions } from '../diagnostics/undefined-names.ts';
import { type ReportOf, resultChip, saysAll } from '../../base/image/result-text.ts';
import { makeStore } from '../../base/store.ts';

const OWNER = 'evaluation';
type Model = monaco.editor.ITextModel;

interface Shown {
  evaluation: string;
  /** The id of the decoration that tracks the form's range while other text is edited. */
  anchor: string;
  chips: string[];
  code: string;
  /** The problems of the form, at offsets in its code. */
  marks: Mark[];
  /** The report, once it is shown. */
  report: EvaluationReport | null;
  /** The first value, if the image holds it. */
  value: ShownValue | null;
}

/** The target of a click on a result: its value is inspected or, if the line does not show everything, the result is expanded. */
export interface ResultTarget {
  readonly evaluation: string;
  readonly value: ShownValue | null;
  readonly opens: boolean;
}

/** A result with its form. */
export interface Result {
  readonly evaluation: string;
  readonly code: string;
  readonly report: EvaluationReport;
  readonly range: monaco.Range;
}

/** A value beside its form, with the data for showing it in the inspector. */
export interface ShownValue {
  readonly handle: number;
  readonly title: string;
  readonly from: string;
}

const shown = new Map<Model, Shown[]>();
const [counter, useStored] = makeStore<{ message: string; count: number }>({ message: '', count: 0 });

/** Returns the words with which a screen reader announces the newest result. */
export function useResultMessage(): string {
  return useStored((state) => state.message);
}

export function hasResults(model: Model | null): boolean {
  return model !== null && (shown.get(model)?.length ?? 0) > 0;
}

/** Shows that a form is running; the result appears in the same place. */
export function showRunning(model: Model, start: number, end: number, evaluation: string): void {
  const range = rangeOf(model, start, end);
  for (const old of shown.get(model) ?? []) {
    const place = model.getDecorationRange(old.anchor);
    if (!place || place.getEndPosition().equals(range.getEndPosition())) remove(model, old);
  }
  const [anchor = ''] = model.deltaDecorations([], [{ range, options: { stickiness: STICKINESS } }]);
  const entry: Shown = {
    evaluation,
    anchor,
    chips: [],
    code: model.getValueInRange(range),
    marks: [],
    report: null,
    value: null,
  };
  entry.chips = drawChips(model, range, [{ text: 'evaluating', className: 'inline-chip inline-running' }]);
  if (!shown.has(model)) watch(model);
  shown.set(model, [...(shown.get(model) ?? []), entry]);
}

/** Shows that a running form has stopped in the debugger, with the condition's type. If `type` is null, shows that the form continues. */
export function showStopped(evaluation: string, type: string | null): void {
  for (const [model, entries] of shown) {
    const entry = entries.find((each) => each.evaluation === evaluation);
    const range = entry && model.getDecorationRange(entry.anchor);
    if (!entry || entry.report || !range) continue;
    model.deltaDecorations(entry.chips, []);
    entry.chips = drawChips(
      model,
      range,
      type === null
        ? [{ text: 'evaluating', className: 'inline-chip inline-running' }]
        : [
            { text: type, className: 'inline-chip inline-value inline-failed' },
            { text: `${SPACE}in the debugger${SPACE}·${SPACE}`, className: 'inline-chip inline-time' },
            { text: 'Show', className: `inline-chip inline-link ${linkClass(evaluation)}` },
          ],
    );
  }
}

/** Returns the CSS class of the link of a stopped form. The class shows which form was clicked. */
export function linkClass(evaluation: string): string {
  return `stopped-${evaluation}`;
}

export function showReport(model: Model, evaluation: string, report: EvaluationReport, of?: ReportOf): void {
  if (model.isDisposed()) return;
  const entry = shown.get(model)?.find((each) => each.evaluation === evaluation);
  const range = entry && model.getDecorationRange(entry.anchor);
  if (!entry || !range) return;
  entry.report = report;
  if (report.status !== 'interrupted') forgetProblemsIn(model, range);
  const { text, time, failed } = resultChip(report, of);
  model.deltaDecorations(entry.chips, []);
  entry.value = valueOf(entry.code, report);
  const opens = !saysAll(report);
  const target = entry.value || opens ? { evaluation, value: entry.value, opens } : null;
  const colour = failed ? ' inline-failed' : '';
  entry.chips = drawChips(model, range, [
    { text, className: `inline-chip inline-value${colour}${target ? ' inline-live' : ''}`, target },
    ...(time ? [{ text: SPACE + time, className: 'inline-chip inline-time' }] : []),
    ...(opens ? [{ text: `${SPACE}Open`, className: 'inline-chip inline-link', target }] : []),
  ]);
  entry.marks = marksOf(entry.code, range.startLineNumber, report, failed);
  refreshMarkers(model);
  counter.setState(({ count }) => ({
    count: count + 1,
    message: `${text.replace(/^=> /, '')}${time ? `, ${time}` : ''}`,
  }));
}

export function clearResults(model: Model): void {
  for (const entry of shown.get(model) ?? []) remove(model, entry);
  refreshMarkers(model);
}

/** Returns the value that is shown beside the form around an offset; null if there is none or the image does not hold it. */
export function valueAt(model: Model, offset: number): ShownValue | null {
  const place = model.getPositionAt(offset);
  return (
    (shown.get(model) ?? []).findLast(({ anchor, value }) => {
      const range = value && model.getDecorationRange(anchor);
      return range !== null && range.containsPosition(place);
    })?.value ?? null
  );
}

/** Returns the reported result of an evaluation in a text; null if it is no longer shown. */
export function resultOf(model: Model, evaluation: string): Result | null {
  const entry = (shown.get(model) ?? []).find((each) => each.evaluation === evaluation);
  const range = entry && model.getDecorationRange(entry.anchor);
  return entry?.report && range ? { evaluation, code: entry.code, report: entry.report, range } : null;
}

/** Returns the result of the form around an offset, otherwise the result of the form that ends last before it. */
export function resultNear(model: Model, offset: number): Result | null {
  const place = model.getPositionAt(offset);
  const results = (shown.get(model) ?? []).flatMap(({ evaluation }) => resultOf(model, evaluation) ?? []);
  const around = results.findLast(({ range }) => range.containsPosition(place));
  const before = results
    .filter(({ range }) => range.getEndPosition().isBeforeOrEqual(place))
    .toSorted((one, other) => monaco.Range.compareRangesUsingEnds(one.range, other.range));
  return around ?? before.at(-1) ?? null;
}

const gone = new Set<(model: Model, evaluation: string) => void>();

/** Calls `listener` for each result that is removed from now on, until the returned object is disposed. */
export function onResultGone(listener: (model: Model, evaluation: string) => void): monaco.IDisposable {
  gone.add(listener);
  return { dispose: () => void gone.delete(listener) };
}

function valueOf(code: string, { values }: EvaluationReport): ShownValue | null {
  const [first] = values;
  if (first === undefined || first.handle === null) return null;
  const line = code.trim().replaceAll(/\s+/g, ' ');
  return {
    handle: first.handle,
    title: first.text.slice(0, 200),
    from: line.length > 40 ? `${line.slice(0, 39)}…` : line,
  };
}

function remove(model: Model, entry: Shown): void {
  model.deltaDecorations([entry.anchor, ...entry.chips], []);
  shown.set(
    model,
    (shown.get(model) ?? []).filter((each) => each !== entry),
  );
  for (const tell of gone) tell(model, entry.evaluation);
}

function refreshMarkers(model: Model): void {
  const markers = (shown.get(model) ?? []).flatMap(({ anchor, marks }) => {
    const range = model.getDecorationRange(anchor);
    return range ? marks.map((mark) => markerOf(model, range, mark)) : [];
  });
  monaco.editor.setModelMarkers(model, OWNER, markers);
}

/** Removes the results of changed text, because they would be wrong. */
function watch(model: Model): void {
  model.onDidChangeContent(({ changes }) => {
    let changed = false;
    for (const entry of shown.get(model) ?? []) {
      const range = model.getDecorationRange(entry.anchor);
      if (
        range &&
        model.getValueInRange(range) === entry.code &&
        !changes.some((each) => continues(entry, range, each))
      )
        continue;
      remove(model, entry);
      changed = true;
    }
    if (changed) refreshMarkers(model);
  });
  const stop = onOtherDefinitions(() => forgetDefined(model));
  model.onWillDispose(() => {
    stop();
    shown.delete(model);
  });
}

/**
 * True if a change continues the form of a result that is an error: text directly after the form, or any text below the beginning of a form
 * that was not closed.
 */
function continues(
  { report }: Shown,
  range: monaco.Range,
  { range: at, text }: monaco.editor.IModelContentChange,
): boolean {
  if (report?.status !== 'error' || text.trim() === '') return false;
  const place = monaco.Range.getStartPosition(at);
  if (report.condition?.type === 'END-OF-FILE') return range.getStartPosition().isBefore(place);
  return /^\S/.test(text) && range.getEndPosition().equals(place);
}

/** Removes the errors of evaluated forms of files that were since compiled or loaded without errors. */
export function followSoundFiles(): void {
  problems.subscribe(({ sound }, before) => {
    if (sound === before.sound) return;
    for (const [model, entries] of shown) {
      const buffer = bufferOf(model);
      if (!buffer || !sound.files.has(buffer.path ?? buffer.title)) continue;
      for (const entry of entries) if (entry.report?.status === 'error') remove(model, entry);
      refreshMarkers(model);
    }
  });
}

/** Removes warnings about names that were undefined but have since been defined. */
async function forgetDefined(model: Model): Promise<void> {
  const warnings = (shown.get(model) ?? []).flatMap(({ anchor, marks }) => {
    const range = model.getDecorationRange(anchor);
    const form = range ? model.getOffsetAt(range.getStartPosition()) : 0;
    return range ? marks.map((mark) => ({ mark, message: mark.message, offset: form + mark.start })) : [];
  });
  const over = new Set((await definedSince(model, warnings)).map(({ mark }) => mark));
  if (over.size === 0 || model.isDisposed()) return;
  for (const entry of shown.get(model) ?? []) entry.marks = entry.marks.filter((mark) => !over.has(mark));
  refreshMarkers(model);
}

function rangeOf(model: Model, start: number, end: number): monaco.Range {
  return monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
}
