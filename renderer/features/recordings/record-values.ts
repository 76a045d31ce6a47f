/**
 * Recording of the values of forms. Marks are set and removed by compiling the definition around them, and recordings are shown at their
 * forms.
 */
import { definitionIn, formAt, topLevelForm } from '#contract/sexp/forms.ts';
import { plural } from '#contract/text/text.ts';
import type { RecordedEvaluation } from '#contract/image/observation/recording.ts';
import { call } from '../../base/bridge.ts';
import { notify } from '../../base/notices/notices.tsx';
import { addForms, findForm, forgetForms, recordings } from './recordings-store.ts';
import { calledForm, definitionsOf, type MarkedForm } from './recordings.ts';
import { activeEditor } from '../../editor/groups/active-editor.ts';
import { activeBuffer, type TextBuffer } from '../../editor/text/buffers.ts';
import { compile, warningsOf } from '../evaluate/compile.ts';
import { tellNoFormInLarge } from '../../editor/text/large-words.ts';
import { STICKINESS } from '../../editor/monaco/inline-chips.ts';
import { monaco } from '../../editor/monaco/monaco.ts';
import { readingNear } from '../../editor/text/reading-near.ts';
import { packageIn } from '../../editor/text/reading-package.ts';
import { anchorForm, markedFormAt, noteStaleIn, placeOfForm } from './recording-marks.ts';
import { showReport, showRunning } from '../evaluate/results.ts';
import { revealSource } from '../../editor/monaco/reveal-source.ts';

/** A definition that was compiled with marks. The offsets of the marks refer to its text. */
interface CompiledDefinition {
  readonly buffer: TextBuffer;
  readonly text: string;
  readonly place: { readonly offset: number; readonly line: number };
  readonly package: string | null;
  readonly marks: readonly { readonly form: string; readonly start: number; readonly end: number }[];
}

/** The definitions that were loaded into the image with marks. Each is stored under each of its marked forms. */
const compiled = new Map<string, CompiledDefinition>();

interface Target {
  readonly model: monaco.editor.ITextModel;
  readonly buffer: TextBuffer;
  /** The model offsets of the form. `definition` has the offsets of the top-level form around it. */
  readonly form: { readonly start: number; readonly end: number };
  readonly definition: { readonly start: number; readonly end: number; readonly name: string };
}

/** Returns the selection or the form at the caret with its top-level form. If there is none, shows a message and returns null. */
function targetAtCaret(): Target | null {
  const editor = activeEditor();
  const model = editor?.getModel();
  const buffer = activeBuffer();
  const position = editor?.getPosition();
  if (!model || !buffer || !position) return null;
  const near = readingNear(model, position.lineNumber);
  if (!near) {
    tellNoFormInLarge(buffer);
    return null;
  }
  const { text, reading, base } = near;
  const selection = editor?.getSelection();
  const selected = selection && !selection.isEmpty() ? trimmed(model, selection) : null;
  const caret = (selected?.start ?? model.getOffsetAt(position)) - base;
  const form = selected ?? shifted(formAt(text, reading, caret), base);
  const around = topLevelForm(reading, caret);
  if (!form || !around || around.start > caret || caret > around.end) {
    notify('There is no form here to record. Put the caret after a form, or select one.');
    return null;
  }
  const name = definitionIn(text, around)?.name.toUpperCase() ?? calledForm(text.slice(around.start, around.end));
  return { model, buffer, form, definition: { start: around.start + base, end: around.end + base, name } };
}

function shifted(span: { start: number; end: number } | null, base: number) {
  return span && { start: span.start + base, end: span.end + base };
}

/** Returns the offsets of a selection without the whitespace around it. */
function trimmed(model: monaco.editor.ITextModel, range: monaco.Range) {
  const text = model.getValueInRange(range);
  const start = model.getOffsetAt(range.getStartPosition()) + (text.length - text.trimStart().length);
  return text.trim() === '' ? null : { start, end: start + text.trim().length };
}

/** Toggles recording of the form at the caret, by compiling the definition around it with or without its mark. */
export async function recordFormAtCaret(): Promise<void> {
  const target = targetAtCaret();
  if (!target) return;
  const { model, form } = target;
  const range = monaco.Range.fromPositions(model.getPositionAt(form.start), model.getPositionAt(form.end));
  const known = markedFormAt(model, range);
  if (known && !known.stale) return takeAway([known]);
  await mark(target);
}

async function mark({ model, buffer, form, definition }: Target): Promise<void> {
  const text = textOf(model, definition);
  const base = definition.start;
  const others = recordings.getState().forms.flatMap((each) => {
    const place = placeOfForm(each.form);
    if (place?.model !== model || each.stale) return [];
    const start = model.getOffsetAt(place.range.getStartPosition());
    const end = model.getOffsetAt(place.range.getEndPosition());
    return start >= definition.start && end <= definition.end ? [{ form: each.form, start, end }] : [];
  });
  const marks = [...others, { form: crypto.randomUUID(), ...form }].map((each) => ({
    ...each,
    code: textOf(model, each),
  }));
  const added = marks.at(-1)!;
  const place = placeholder(model, added);
  const done = await compileWith({
    buffer,
    text,
    place: { offset: base, line: model.getPositionAt(base).lineNumber },
    package: packageIn(model, base),
    marks: marks.map((each) => ({ form: each.form, start: each.start - base, end: each.end - base })),
  });
  const range = place.end();
  if (done !== true) return tellNotMarked(added.code, done);
  const file = buffer.path ?? buffer.title;
  if (range) anchorForm(added.form, model, range);
  addForms(marks.map((each) => ({ form: each.form, code: each.code, definition: definition.name, file })));
  noteStaleIn(model);
  return undefined;
}

/**
 * Tracks the place of a form while its definition is being compiled, because the person may continue typing. `end` returns its current
 * place and stops tracking.
 */
function placeholder(model: monaco.editor.ITextModel, { start, end }: { start: number; end: number }) {
  const range = monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
  const [id = ''] = model.deltaDecorations([], [{ range, options: { stickiness: STICKINESS } }]);
  return {
    end(): monaco.Range | null {
      if (model.isDisposed()) return null;
      const stands = model.getDecorationRange(id);
      model.deltaDecorations([id], []);
      return stands;
    },
  };
}

function tellNotMarked(code: string, why: string): void {
  notify(`${calledForm(code)} is not recorded. ${why}`, 'error');
}

function textOf(model: monaco.editor.ITextModel, { start, end }: { start: number; end: number }): string {
  return model.getValueInRange(monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end)));
}

/** Compiles and loads a definition with its marks. Returns true, or a text with the reason for the failure. */
async function compileWith(definition: CompiledDefinition): Promise<true | string> {
  const { buffer, text, place, package: inPackage, marks } = definition;
  const evaluation = crypto.randomUUID();
  const { report, result, failure } = await compile(buffer, text, place, inPackage, evaluation, {
    marks: [...marks],
  });
  const refused = result?.refused[0]?.reason ?? null;
  if (refused !== null) return refused;
  if (failure !== null) return `The definition could not be loaded: ${failure}`;
  if (!result?.loaded) return 'The definition could not be read to its end.';
  showWarnings(definition, evaluation, { ...report, warnings: warningsOf(result, place.offset) });
  for (const each of marks) compiled.set(each.form, definition);
  return true;
}

/** Shows the compiler's warnings beside the definition, if its text has not changed since it was compiled. */
function showWarnings(
  { place, text }: CompiledDefinition,
  evaluation: string,
  report: Parameters<typeof showReport>[2],
) {
  const model = activeEditor()?.getModel();
  if (!model || report.warnings.length === 0) return;
  const span = { start: place.offset, end: place.offset + text.length };
  if (textOf(model, span) !== text) return;
  showRunning(model, span.start, span.end, evaluation);
  showReport(model, evaluation, report, 'compiling');
}

/** Removes the marks in the top-level form around the caret. */
export async function stopRecordingDefinition(): Promise<void> {
  const target = targetAtCaret();
  if (!target) return;
  const { model, definition } = target;
  const range = monaco.Range.fromPositions(model.getPositionAt(definition.start), model.getPositionAt(definition.end));
  const found = recordings.getState().forms.filter(({ form }) => {
    const place = placeOfForm(form);
    return place?.model === model && range.containsRange(place.range);
  });
  if (found.length === 0) notify(`No form of ${definition.name} is recorded.`);
  else await takeAway(found);
}

export async function stopRecordingAll(): Promise<void> {
  await takeAway(recordings.getState().forms);
}

/** Removes marks by recompiling the definitions around them without the marks, from the source texts that were compiled with the marks. */
export async function takeAway(forms: readonly MarkedForm[]): Promise<void> {
  if (forms.length === 0) return;
  const ids = forms.map(({ form }) => form);
  const around = new Set(ids.flatMap((form) => compiled.get(form) ?? []));
  forgetForms(ids);
  const problems: string[] = [];
  for (const definition of around) {
    const marks = definition.marks.filter(({ form }) => !ids.includes(form) && findForm(form) !== null);
    const done = await compileWith({ ...definition, marks });
    if (done !== true) problems.push(done);
  }
  for (const form of ids) compiled.delete(form);
  await call('recordings.forget', { forms: ids });
  const what = forms.length === 1 ? calledForm(forms[0]!.code) : plural(forms.length, 'form');
  notify(
    problems.length === 0
      ? `Values of ${what} in ${definitionsOf(forms)} are no longer recorded.`
      : `Values of ${what} are no longer recorded. ${problems.join(' ')}`,
    problems.length === 0 ? 'info' : 'error',
  );
}

/** Shows a recorded evaluation at its form, and reveals the form. With `focuses`, also moves the caret there. */
export async function showRecordedAt({ form }: RecordedEvaluation, focuses: boolean): Promise<void> {
  const known = findForm(form);
  if (known) await showFormInText(known, focuses);
}

/** Shows a marked form in its text. */
export async function showFormInText(known: MarkedForm, focuses = true): Promise<void> {
  const place = placeOfForm(known.form);
  if (!place) return openClosed(known);
  if (activeEditor()?.getModel() !== place.model || focuses)
    await revealSource({ file: known.file, line: place.range.startLineNumber, offset: null }, place.range.startColumn);
  else activeEditor()?.revealRangeInCenterIfOutsideViewport(place.range);
}

async function openClosed({ file, definition }: MarkedForm): Promise<void> {
  await revealSource({ file, line: null, offset: null });
  notify(`The form in ${definition} is not shown: its text was closed or changed.`);
}
