/** Evaluation of the form at the caret, the selection or the text, with the result beside it. */
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import { evaluate } from '../../base/image/evaluations.ts';
import { profile } from '../profiler/store.ts';
import { showDock } from '../../base/layout/layout-store.ts';
import { notify } from '../../base/notices/notices.tsx';
import { formAt, type Span, topLevelAt } from '#contract/sexp/forms.ts';
import { activeEditor, readingOf } from '../../editor/groups/active-editor.ts';
import { activeBuffer, modelOf, type TextBuffer } from '../../editor/text/buffers.ts';
import { isLarge } from '../../editor/text/large-texts.ts';
import { isTooLong, tellNoFormInLarge } from '../../editor/text/large-words.ts';
import { monaco } from '../../editor/monaco/monaco.ts';
import { readingNear } from '../../editor/text/reading-near.ts';
import { packageIn } from '../../editor/text/reading-package.ts';
import { showReport, showRunning } from './results.ts';

type Which = 'form' | 'topLevel' | 'buffer';

/** `form`: the selection, or the form at the caret. `topLevel`: the top-level form around it. `buffer`: the whole text. */
export async function evaluateAtCaret(which: Which): Promise<void> {
  const editor = activeEditor();
  const model = editor?.getModel();
  const buffer = activeBuffer();
  const position = editor?.getPosition();
  if (!editor || !model || !buffer || !position) return;
  const span = spanOf(which, editor, position);
  const code = span ? codeIn(model, span).trimEnd() : '';
  if (!span || code.trim() === '') return tellNoForm(buffer);
  if (isTooLong(code, buffer)) return;
  const evaluation = crypto.randomUUID();
  const source = {
    file: buffer.path ?? buffer.title,
    offset: span.start,
    line: model.getPositionAt(span.start).lineNumber,
  };
  showRunning(model, span.start, span.start + code.length, evaluation);
  showReport(
    model,
    evaluation,
    await evaluate({ code, origin: 'editor', package: packageIn(model, span.start), source }, evaluation),
  );
}

/** Evaluates the selection or the form at the caret in the REPL, which shows its value and binds it to `*`. */
export async function evaluateInRepl(): Promise<void> {
  const editor = activeEditor();
  const model = editor?.getModel();
  const buffer = activeBuffer();
  const position = editor?.getPosition();
  if (!editor || !model || !buffer || !position) return;
  const span = spanOf('form', editor, position);
  const code = span ? codeIn(model, span).trim() : '';
  if (!span || code === '') return tellNoForm(buffer);
  if (isTooLong(code, buffer)) return;
  showDock('repl');
  await evaluate({ code, origin: 'repl', package: packageIn(model, span.start), source: null });
}

/** Profiles a run of the selection, of the form at the caret or of the top-level form around it. */
export async function profileAtCaret(which: Exclude<Which, 'buffer'>): Promise<void> {
  const editor = activeEditor();
  const model = editor?.getModel();
  const buffer = activeBuffer();
  const position = editor?.getPosition();
  if (!editor || !model || !buffer || !position) return;
  const span = spanOf(which, editor, position);
  const code = span ? codeIn(model, span).trim() : '';
  if (!span || code === '') return tellNoForm(buffer);
  if (isTooLong(code, buffer)) return;
  await profile({ code, package: packageIn(model, span.start), repl: FIRST_REPL });
}

function tellNoForm(buffer: TextBuffer): void {
  const model = modelOf(buffer.id);
  if (model && isLarge(model)) tellNoFormInLarge(buffer);
  else notify('There is no form here to evaluate.');
}

function codeIn(model: monaco.editor.ITextModel, { start, end }: Span): string {
  return model.getValueInRange(monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end)));
}

/** Returns the offsets in the model of the code to evaluate. */
function spanOf(which: Which, editor: monaco.editor.IStandaloneCodeEditor, place: monaco.Position): Span | null {
  const model = editor.getModel()!;
  const selection = editor.getSelection();
  if (which === 'buffer') {
    if (isLarge(model)) return { start: 0, end: model.getValueLength() };
    const { text, reading } = readingOf(model);
    const [first] = reading.forms;
    return first ? { start: first.start, end: text.length } : null;
  }
  if (which === 'form' && selection && !selection.isEmpty())
    return {
      start: model.getOffsetAt(selection.getStartPosition()),
      end: model.getOffsetAt(selection.getEndPosition()),
    };
  const near = readingNear(model, place.lineNumber);
  if (!near) return null;
  const { text, reading, base } = near;
  const caret = model.getOffsetAt(place) - base;
  const found = which === 'form' ? formAt(text, reading, caret) : topLevelAt(text, reading, caret);
  return found && { start: found.start + base, end: found.end + base };
}
