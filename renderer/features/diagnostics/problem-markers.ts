/**
 * The problems in the open texts. Marks the problems from compilations in the texts. Lists all marks, including those from evaluations,
 * with their current lines. Problems of files that are not open are listed as they were reported.
 */
import type { Diagnostic } from '#contract/image/compilation.ts';
import { drawable } from '#contract/text/visible.ts';
import { mirror } from '../../base/mirror.ts';
import { hasFolder, pathWithin } from '../../base/text/paths.ts';
import { inOrder } from './problem-order.ts';
import { forgetDiagnostics, type Problem, problems, type Severity, severityOf } from './problems.ts';
import { buffers, modelOf, type TextBuffer } from '../../editor/text/buffers.ts';
import { followGoneFiles } from './gone-files.ts';
import { placedMarkers, type PlacedMarker } from '../../editor/monaco/marker-places.ts';
import { monaco } from '../../editor/monaco/monaco.ts';
import { definedSince, onOtherDefinitions } from './undefined-names.ts';

const OWNER = 'compilation';
const { MarkerSeverity } = monaco;

/**
 * Removes Monaco's own key for the next problem, because it would show the problem in a hover. The workbench's keymap has its own keys for
 * problems.
 */
monaco.editor.addKeybindingRule({
  keybinding: monaco.KeyMod.Alt | monaco.KeyCode.F8,
  command: '-editor.action.marker.next',
});

const SEVERITIES: Record<Severity, monaco.MarkerSeverity> = {
  error: MarkerSeverity.Error,
  warning: MarkerSeverity.Warning,
  note: MarkerSeverity.Info,
};

/** A diagnostic with its mark in the text. */
interface Marked {
  readonly diagnostic: Diagnostic;
  readonly data: monaco.editor.IMarkerData;
}

/** The marks in each text, by buffer. They are stored so that marks that moved with the text are not reset to their original positions. */
const marked = new Map<string, readonly Marked[]>();

/**
 * Removes the compiler's problems of the forms in a range that were compiled or evaluated again. The new run reported the current problems.
 */
export function forgetProblemsIn(model: monaco.editor.ITextModel, range: monaco.Range): void {
  const within = placesNow(model).filter(({ place }) => range.containsPosition(monaco.Range.getStartPosition(place)));
  forgetDiagnostics(new Set(within.map(({ diagnostic }) => diagnostic)));
}

/** Removes warnings about names that were undefined but have since been defined. */
async function forgetDefined(): Promise<void> {
  for (const { id } of buffers.getState().buffers) {
    const model = modelOf(id);
    if (!model) continue;
    const warnings = placesNow(model).map(({ diagnostic, place }) => ({
      diagnostic,
      message: diagnostic.message,
      offset: model.getOffsetAt({ lineNumber: place.startLineNumber, column: place.startColumn }),
    }));
    const over = await definedSince(model, warnings);
    forgetDiagnostics(new Set(over.map(({ diagnostic }) => diagnostic)));
  }
}

/** Starts to update the marks and the list of problems when compilations, definitions, open texts or marks change. */
export function startProblems(): void {
  const mark = (): void => {
    const { compiled } = problems.getState();
    const all = [...compiled.values()].flat();
    for (const buffer of buffers.getState().buffers) {
      const model = modelOf(buffer.id);
      const here = all.filter(({ file }) => file !== null && isFileOf(buffer, file));
      if (!model || sameDiagnostics(marked.get(buffer.id)?.map(({ diagnostic }) => diagnostic) ?? [], here)) continue;
      const moved = new Map(placesNow(model).map(({ diagnostic, place }) => [diagnostic, place]));
      const marks = here.flatMap((diagnostic) =>
        markerOf(model, diagnostic).map((data) => ({ diagnostic, data: { ...data, ...moved.get(diagnostic) } })),
      );
      marked.set(buffer.id, marks);
      monaco.editor.setModelMarkers(
        model,
        OWNER,
        marks.map(({ data }) => data),
      );
    }
    list();
  };
  problems.subscribe((state, before) => (state.compiled === before.compiled ? undefined : mark()));
  buffers.subscribe((state, before) => {
    if (state.buffers === before.buffers) return;
    for (const id of marked.keys()) if (!state.buffers.some((buffer) => buffer.id === id)) marked.delete(id);
    mark();
  });
  monaco.editor.onDidChangeMarkers(list);
  mirror.subscribe((state, before) => (state.project?.path === before.project?.path ? undefined : list()));
  onOtherDefinitions(forgetDefined);
  followGoneFiles();
  listAfterTyping();
}

/** Returns the diagnostics that are marked in a text, each with the current place of its mark. */
function placesNow(model: monaco.editor.ITextModel): { diagnostic: Diagnostic; place: monaco.IRange }[] {
  const placed = placedMarkers(model).filter(({ marker }) => marker.owner === OWNER);
  const known = [...marked].find(([id]) => modelOf(id) === model)?.[1] ?? [];
  return known.flatMap(({ diagnostic, data }) => {
    const found = placed.find(
      ({ marker }) =>
        marker.message === data.message &&
        marker.startLineNumber === data.startLineNumber &&
        marker.startColumn === data.startColumn,
    );
    return found ? [{ diagnostic, place: plainRange(found.range) }] : [];
  });
}

function plainRange({ startLineNumber, startColumn, endLineNumber, endColumn }: monaco.IRange): monaco.IRange {
  return { startLineNumber, startColumn, endLineNumber, endColumn };
}

/** Milliseconds without typing after which the list of problems is updated. */
const REST_MS = 300;

/** Updates the list of problems after typing has moved them. */
function listAfterTyping(): void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const soon = (): void => {
    if (problems.getState().listed.length === 0) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(list, REST_MS);
  };
  const follow = (model: monaco.editor.ITextModel): void => void model.onDidChangeContent(soon);
  for (const model of monaco.editor.getModels()) follow(model);
  monaco.editor.onDidCreateModel(follow);
}

function sameDiagnostics(one: readonly Diagnostic[], other: readonly Diagnostic[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

function isFileOf(buffer: TextBuffer, file: string): boolean {
  return buffer.path === null ? buffer.title === file : buffer.path === file;
}

function markerOf(model: monaco.editor.ITextModel, diagnostic: Diagnostic): monaco.editor.IMarkerData[] {
  const severity = severityOf(diagnostic);
  if (severity === null) return [];
  const { start, end, type, message } = diagnostic;
  const from = beginOf(model, diagnostic);
  const to = start === null || end === null ? from : model.getPositionAt(model.getOffsetAt(from) + end - start);
  // A problem in a form of several lines is marked only in the first line, because underlining the whole form would not help.
  const endColumn = to.lineNumber === from.lineNumber ? to.column : model.getLineMaxColumn(from.lineNumber);
  return [
    {
      severity: SEVERITIES[severity],
      source: type,
      message: drawable(message),
      startLineNumber: from.lineNumber,
      startColumn: from.column,
      endLineNumber: from.lineNumber,
      endColumn: Math.max(endColumn, from.column + 1),
    },
  ];
}

/**
 * Returns the position at which a diagnostic begins, from its line and column. If the file has changed since, all offsets after the change
 * are wrong, but most lines and columns are still right.
 */
function beginOf(model: monaco.editor.ITextModel, { start, line, column }: Diagnostic): monaco.IPosition {
  if (line !== null) return model.validatePosition({ lineNumber: line, column: (column ?? 0) + 1 });
  return start === null ? { lineNumber: 1, column: 1 } : model.getPositionAt(start);
}

function list(): void {
  const open = buffers.getState().buffers;
  const marks = open.flatMap((buffer) => {
    const model = modelOf(buffer.id);
    if (!model) return [];
    const placed = placedMarkers(model);
    // If the text ends too early, the compiler reports END-OF-FILE as well. The editor's own problem is more precise and is up to date
    // while the user types, so the compiler's is left out.
    const isUnread = placed.some(({ marker }) => marker.owner === 'syntax' && marker.severity === MarkerSeverity.Error);
    return placed
      .filter(({ marker }) => !(isUnread && marker.owner === OWNER && marker.source === 'END-OF-FILE'))
      .map((each, index) => problemOf(buffer, each, index));
  });
  const elsewhere = [...problems.getState().compiled].flatMap(([of, diagnostics]) =>
    diagnostics.flatMap((diagnostic, index): Problem[] => {
      const { file, type, message, line, column, context } = diagnostic;
      const severity = severityOf(diagnostic);
      if (severity === null || (file !== null && open.some((buffer) => isFileOf(buffer, file)))) return [];
      const place = { line, column: column === null ? null : column + 1 };
      return [{ id: `${of}:${index}`, severity, type, message, file, ...place, context, elsewhere: isElsewhere(file) }];
    }),
  );
  problems.setState({ listed: inOrder([...marks, ...elsewhere]) });
}

function problemOf({ id, path, title }: TextBuffer, { marker, range }: PlacedMarker, index: number): Problem {
  const severity =
    marker.severity === MarkerSeverity.Error
      ? 'error'
      : marker.severity === MarkerSeverity.Warning
        ? 'warning'
        : 'note';
  const [type = '', ...rest] =
    marker.source === undefined ? marker.message.split('\n') : [marker.source, marker.message];
  return {
    id: `${id}:${marker.owner}:${index}`,
    severity,
    type,
    message: rest.join('\n'),
    file: path ?? title,
    line: range.startLineNumber,
    column: range.startColumn,
    context: null,
    elsewhere: isElsewhere(path),
  };
}

/** True for a file outside the open project. Without a project, and for texts without a file, nothing is outside. */
function isElsewhere(file: string | null): boolean {
  const project = mirror.getState().project?.path;
  return file !== null && project !== undefined && hasFolder(file) && pathWithin(project, file) === null;
}
