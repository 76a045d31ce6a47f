/** The problems that an evaluation reported, as marks in the text of its form. */
import type { EvaluationReport } from '#contract/image/evaluation.ts';
import { explained } from '#contract/sexp/balance.ts';
import { drawable } from '#contract/text/visible.ts';
import { monaco } from '../../editor/monaco/monaco.ts';

type Model = monaco.editor.ITextModel;

/** A problem at offsets in the form's code. */
export interface Mark {
  severity: monaco.MarkerSeverity;
  /** The class of the condition. */
  source: string;
  message: string;
  start: number;
  /** The end of the problem; null if only its beginning is known. */
  end: number | null;
}

/** Returns the error and the warnings of an evaluation, each at the form or name that it is about. */
export function marksOf(
  code: string,
  line: number,
  { condition, warnings }: EvaluationReport,
  failed: boolean,
): Mark[] {
  const { Error: error, Warning: warning } = monaco.MarkerSeverity;
  const marks = warnings.map(({ type, message, start, end }): Mark => ({
    severity: warning,
    source: type,
    message,
    start: start ?? 0,
    end,
  }));
  if (!failed || !condition) return marks;
  const start = Math.min(condition.offset ?? 0, code.length);
  return [
    ...marks,
    { severity: error, source: condition.type, message: explained(condition, code, line), start, end: null },
  ];
}

/** Converts a mark to an editor marker at the form's current position. */
export function markerOf(model: Model, form: monaco.Range, { start, end, ...about }: Mark): monaco.editor.IMarkerData {
  const formStart = model.getOffsetAt(form.getStartPosition());
  const from = model.getPositionAt(formStart + start);
  const to = end === null ? endOfMark(model, form, from, start) : model.getPositionAt(formStart + end);
  // A mark that spans several lines is shown only on its first line.
  const endColumn = to.lineNumber === from.lineNumber ? to.column : model.getLineMaxColumn(from.lineNumber);
  return {
    ...about,
    message: drawable(about.message),
    startLineNumber: from.lineNumber,
    startColumn: endColumn > from.column ? from.column : Math.max(1, from.column - 1),
    endLineNumber: from.lineNumber,
    endColumn: Math.max(endColumn, from.column),
  };
}

/**
 * Returns the end of a mark of which only the start is known. Inside the form, the mark ends with the word at its start; a mark of the
 * whole form ends with the form's first line.
 */
function endOfMark(model: Model, form: monaco.Range, from: monaco.Position, start: number): monaco.IPosition {
  const word = model.getWordAtPosition(from);
  if (start > 0 && word) return { lineNumber: from.lineNumber, column: Math.max(word.endColumn, from.column + 1) };
  if (from.lineNumber === form.endLineNumber) return form.getEndPosition();
  return { lineNumber: from.lineNumber, column: model.getLineMaxColumn(from.lineNumber) };
}
