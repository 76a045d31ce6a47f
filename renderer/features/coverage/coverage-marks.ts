/**
 * Coverage marks in the editor, for files compiled with coverage. They show code that ran, code that did not, and branches taken only one
 * way, by a background, a bar beside the line numbers, and hover texts.
 */
import { coverage, noteEdited, wantForms } from './store.ts';
import { type CoveredPlace, coveredPlaces, type CoverageState, isStale, nextGap } from './coverage-places.ts';
import { notify } from '../../base/notices/notices.tsx';
import { activeEditor } from '../../editor/groups/active-editor.ts';
import { activeBuffer, bufferOf } from '../../editor/text/buffers.ts';
import { monaco } from '../../editor/monaco/monaco.ts';
import { rememberPlace } from '../../editor/groups/navigation.ts';
import { showHover } from '../../editor/monaco/passing-hints.ts';
import { revealSource } from '../../editor/monaco/reveal-source.ts';

const SETTLE_MS = 120;
/** The priority of each state, used if several states are on one line. */
const WEIGHT: Record<CoverageState, number> = { ran: 0, half: 1, missed: 2 };

export function installCoverageMarks(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
  const marks = editor.createDecorationsCollection();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const draw = (): void => {
    const model = editor.getModel();
    const file = fileOf(model);
    if (file !== null) void wantForms(file);
    const told = file === null ? undefined : coverage.getState().forms.get(file);
    if (model && file !== null && told) noteEdited(file, isStale(told, model.getValue()));
    const places = model ? placesIn(model) : [];
    marks.set(model ? [...places.map((place) => markOf(model, place)), ...barsOf(model, places)] : []);
  };
  const drawSoon = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(draw, SETTLE_MS);
  };
  const listeners = [editor.onDidChangeModel(draw), editor.onDidChangeModelContent(drawSoon)];
  const stop = coverage.subscribe((state, before) => {
    if (state.files !== before.files || state.forms !== before.forms || state.marked !== before.marked) draw();
  });
  return {
    dispose(): void {
      if (timer !== null) clearTimeout(timer);
      stop();
      for (const each of listeners) each.dispose();
    },
  };
}

function fileOf(model: monaco.editor.ITextModel | null): string | null {
  const buffer = model && bufferOf(model);
  return buffer ? (buffer.path ?? buffer.title) : null;
}

function placesIn(model: monaco.editor.ITextModel): CoveredPlace[] {
  const { forms, marked } = coverage.getState();
  const file = fileOf(model);
  const told = file === null ? undefined : forms.get(file);
  return told && marked ? coveredPlaces(told, model.getValue()) : [];
}

function markOf(
  model: monaco.editor.ITextModel,
  { start, end, state, words }: CoveredPlace,
): monaco.editor.IModelDeltaDecoration {
  return {
    range: monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end)),
    options: {
      stickiness: monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges,
      className: `coverage-${state}`,
      hoverMessage: { value: words },
      zIndex: state === 'ran' ? 0 : state === 'missed' ? 1 : 2,
    },
  };
}

/** Returns a bar for each marked line, in the state with the highest priority. */
function barsOf(
  model: monaco.editor.ITextModel,
  places: readonly CoveredPlace[],
): monaco.editor.IModelDeltaDecoration[] {
  const lines = new Map<number, CoverageState>();
  for (const { start, end, state } of places) {
    const last = model.getPositionAt(end).lineNumber;
    for (let line = model.getPositionAt(start).lineNumber; line <= last; line += 1) {
      const known = lines.get(line);
      if (known === undefined || WEIGHT[state] > WEIGHT[known]) lines.set(line, state);
    }
  }
  return [...lines].map(([line, state]) => ({
    range: new monaco.Range(line, 1, line, 1),
    options: { isWholeLine: true, marginClassName: `coverage-bar coverage-bar-${state}` },
  }));
}

/** Moves the caret to the next or previous form that has not run completely, in this file or otherwise in another file with coverage. */
export async function goToGap(direction: 1 | -1): Promise<void> {
  const model = activeEditor()?.getModel();
  const position = activeEditor()?.getPosition();
  const gap = model && position && nextGap(placesIn(model), model.getOffsetAt(position), direction);
  if (model && gap) return goTo(model, gap);
  const { files } = coverage.getState();
  if (!files || files.length === 0) return void notify('No file was compiled with coverage. Compile one first.');
  const here = activeBuffer();
  const other = files.find(
    ({ file, executed, expressions, taken, branches }) =>
      file !== (here?.path ?? here?.title) && (executed < expressions || taken < branches),
  );
  if (other) await openAtGap(other.file);
  else notify('All code compiled with coverage has run.');
}

/** Opens a file at its first form that has not run completely. */
export async function openAtGap(file: string): Promise<void> {
  rememberPlace();
  await revealSource({ file, line: 1, offset: null });
  await wantForms(file);
  const model = activeEditor()?.getModel();
  const gap = model && nextGap(placesIn(model), -1, 1);
  if (model && gap) goTo(model, gap);
}

function goTo(model: monaco.editor.ITextModel, { start }: CoveredPlace): void {
  const editor = activeEditor();
  if (!editor) return;
  rememberPlace();
  const at = model.getPositionAt(start);
  editor.setPosition(at);
  editor.revealPositionInCenterIfOutsideViewport(at);
  editor.focus();
  showHover(editor);
}
