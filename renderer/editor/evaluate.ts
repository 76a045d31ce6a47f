/** Evaluating what the caret means, with the result beside it. */
import { evaluate } from '../evaluations.ts';
import { notify } from '../layout/notices.tsx';
import { formAt, packageAt, type Span, topLevelAt } from '#contract/sexp/forms.ts';
import { activeEditor, readingOf } from './active-editor.ts';
import { activeBuffer } from './buffers.ts';
import { showReport, showRunning } from './results.ts';

/** `form`: the selection, or the form at the caret. `topLevel`: the top-level form around it. */
export async function evaluateAtCaret(which: 'form' | 'topLevel'): Promise<void> {
  const editor = activeEditor();
  const model = editor?.getModel();
  const buffer = activeBuffer();
  const position = editor?.getPosition();
  if (!model || !buffer || !position) return;
  const { text, reading } = readingOf(model);
  const selection = editor?.getSelection();
  const caret = model.getOffsetAt(position);
  let span: Span | null;
  if (which === 'form' && selection && !selection.isEmpty()) {
    span = {
      start: model.getOffsetAt(selection.getStartPosition()),
      end: model.getOffsetAt(selection.getEndPosition()),
    };
  } else {
    span = which === 'form' ? formAt(text, reading, caret) : topLevelAt(text, reading, caret);
  }
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
