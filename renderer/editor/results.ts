/** Results beside the forms that gave them: a chip after the form, and a squiggle where it failed. They go when the form changes. */
import { createStore, useStore } from 'zustand';
import type { EvaluationReport } from '#contract/evaluation.ts';
import { monaco } from './monaco.ts';
import { resultChip } from './result-text.ts';

const OWNER = 'evaluation';
/** Monaco cuts long text into several elements, so a chip's padding is text of its own. */
const SPACE = '\u00a0';
type Model = monaco.editor.ITextModel;

interface Shown {
  evaluation: string;
  /** The form's own range, moved by edits elsewhere. */
  anchor: string;
  chips: string[];
  code: string;
  marker: monaco.editor.IMarkerData | null;
}

const shown = new Map<Model, Shown[]>();
const counter = createStore<{ message: string; count: number }>(() => ({ message: '', count: 0 }));

/** What a screen reader is told of the newest result. */
export function useResultMessage(): string {
  return useStore(counter, (state) => state.message);
}

export function hasResults(model: Model | null): boolean {
  return model !== null && (shown.get(model)?.length ?? 0) > 0;
}

/** Shows that a form runs; the result comes to the same place. */
export function showRunning(model: Model, start: number, end: number, evaluation: string): void {
  const range = rangeOf(model, start, end);
  for (const old of shown.get(model) ?? []) {
    const place = model.getDecorationRange(old.anchor);
    if (!place || place.getEndPosition().equals(range.getEndPosition())) remove(model, old);
  }
  const [anchor = ''] = model.deltaDecorations([], [{ range, options: { stickiness: STICKINESS } }]);
  const entry: Shown = { evaluation, anchor, chips: [], code: model.getValueInRange(range), marker: null };
  entry.chips = chips(model, range, [{ text: 'evaluating', className: 'inline-chip inline-running' }]);
  if (!shown.has(model)) watch(model);
  shown.set(model, [...(shown.get(model) ?? []), entry]);
}

export function showReport(model: Model, evaluation: string, report: EvaluationReport): void {
  if (model.isDisposed()) return;
  const entry = shown.get(model)?.find((each) => each.evaluation === evaluation);
  const range = entry && model.getDecorationRange(entry.anchor);
  if (!entry || !range) return;
  const { text, time, failed } = resultChip(report);
  model.deltaDecorations(entry.chips, []);
  entry.chips = chips(model, range, [
    { text, className: `inline-chip inline-value${failed ? ' inline-failed' : ''}` },
    ...(time ? [{ text: SPACE + time, className: 'inline-chip inline-time' }] : []),
  ]);
  if (failed && report.condition) entry.marker = markerOf(model, range, entry.code, report);
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

const STICKINESS = monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges;

function chips(model: Model, range: monaco.Range, pieces: { text: string; className: string }[]): string[] {
  const end = range.getEndPosition();
  // A gap of its own, so that the caret at the form's end stands at the form.
  return model.deltaDecorations(
    [],
    [
      { text: SPACE + SPACE, className: 'inline-gap' },
      { text: SPACE, className: 'inline-chip inline-start' },
      ...pieces,
      { text: SPACE, className: 'inline-chip inline-end' },
    ].map(({ text, className }) => ({
      range: new monaco.Range(end.lineNumber, end.column, end.lineNumber, end.column),
      options: {
        stickiness: STICKINESS,
        showIfCollapsed: true,
        after: {
          content: text,
          inlineClassName: className,
          inlineClassNameAffectsLetterSpacing: true,
          cursorStops:
            className === 'inline-gap'
              ? monaco.editor.InjectedTextCursorStops.Left
              : monaco.editor.InjectedTextCursorStops.None,
        },
      },
    })),
  );
}

function markerOf(
  model: Model,
  range: monaco.Range,
  code: string,
  report: EvaluationReport,
): monaco.editor.IMarkerData {
  const condition = report.condition!;
  const formStart = model.getOffsetAt(range.getStartPosition());
  const at = Math.min(condition.offset ?? 0, code.length);
  const start = model.getPositionAt(formStart + at);
  const word = model.getWordAtPosition(start);
  // A place inside the form is marked to the end of its word; the form as a whole to the end of its first line.
  const end =
    at > 0 && word
      ? new monaco.Position(start.lineNumber, Math.max(word.endColumn, start.column + 1))
      : start.lineNumber === range.endLineNumber
        ? range.getEndPosition()
        : new monaco.Position(start.lineNumber, model.getLineMaxColumn(start.lineNumber));
  return {
    severity: monaco.MarkerSeverity.Error,
    message: `${condition.type}\n${condition.message}`,
    startLineNumber: start.lineNumber,
    startColumn: end.column > start.column ? start.column : Math.max(1, start.column - 1),
    endLineNumber: end.lineNumber,
    endColumn: Math.max(end.column, start.column),
  };
}

function remove(model: Model, entry: Shown): void {
  model.deltaDecorations([entry.anchor, ...entry.chips], []);
  shown.set(
    model,
    (shown.get(model) ?? []).filter((each) => each !== entry),
  );
}

function refreshMarkers(model: Model): void {
  monaco.editor.setModelMarkers(
    model,
    OWNER,
    (shown.get(model) ?? []).flatMap((entry) => (entry.marker ? [entry.marker] : [])),
  );
}

/** A result of text that is not there any more would be a lie. */
function watch(model: Model): void {
  model.onDidChangeContent(() => {
    let changed = false;
    for (const entry of shown.get(model) ?? []) {
      const range = model.getDecorationRange(entry.anchor);
      if (range && model.getValueInRange(range) === entry.code) continue;
      remove(model, entry);
      changed = true;
    }
    if (changed) refreshMarkers(model);
  });
  model.onWillDispose(() => shown.delete(model));
}

function rangeOf(model: Model, start: number, end: number): monaco.Range {
  return monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
}
