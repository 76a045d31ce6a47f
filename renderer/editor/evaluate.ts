/** Evaluating the form at the caret, the selection or the text, with the result beside it. */
import { evaluate } from '../features/evaluations.ts';
import { showDock } from '../base/layout-store.ts';
import { notify } from '../features/notices.tsx';
import { formAt, packageAt, type Span, topLevelAt } from '#contract/sexp/forms.ts';
import { activeEditor, readingOf } from './active-editor.ts';
import { activeBuffer } from './buffers.ts';
import type { monaco } from './monaco.ts';
import { showReport, showRunning } from './results.ts';

type Which = 'form' | 'topLevel' | 'buffer';

/** `form`: the selection, or the form at the caret. `topLevel`: the top-level form around it. `buffer`: the whole text. */
export async function evaluateAtCaret(which: Which): Promise<void> {
  const editor = activeEditor();
  const model = editor?.getModel();
  const buffer = activeBuffer();
  const position = editor?.getPosition();
  if (!editor || !model || !buffer || !position) return;
  const { text, reading } = readingOf(model);
  const span = spanOf(which, editor, model.getOffsetAt(position));
  const code = span ? text.slice(span.start, span.end).trimEnd() : '';
  if (!span || code.trim() === '') {
    notify('There is no form here to evaluate.');
    return;
  }
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
    await evaluate({ code, origin: 'editor', package: packageAt(text, reading, span.start), source }, evaluation),
  );
}

/** Evaluates the selection or the form at the caret in the REPL, where its value is `*` and is shown. */
export async function evaluateInRepl(): Promise<void> {
  const editor = activeEditor();
  const model = editor?.getModel();
  const position = editor?.getPosition();
  if (!editor || !model || !position) return;
  const { text, reading } = readingOf(model);
  const span = spanOf('form', editor, model.getOffsetAt(position));
  const code = span ? text.slice(span.start, span.end).trim() : '';
  if (!span || code === '') return void notify('There is no form here to evaluate.');
  showDock('repl');
  await evaluate({ code, origin: 'repl', package: packageAt(text, reading, span.start), source: null });
}

function spanOf(which: Which, editor: monaco.editor.IStandaloneCodeEditor, caret: number): Span | null {
  const model = editor.getModel()!;
  const { text, reading } = readingOf(model);
  const selection = editor.getSelection();
  if (which === 'buffer') {
    const [first] = reading.forms;
    return first ? { start: first.start, end: text.length } : null;
  }
  if (which === 'form' && selection && !selection.isEmpty())
    return {
      start: model.getOffsetAt(selection.getStartPosition()),
      end: model.getOffsetAt(selection.getEndPosition()),
    };
  return which === 'form' ? formAt(text, reading, caret) : topLevelAt(text, reading, caret);
}
