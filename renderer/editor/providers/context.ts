/** The context of a position in a model: the symbol there, the package in which it is read, and the top-level form around it. */
import { deadForms } from '#contract/sexp/conditionals.ts';
import { designatedName } from '#contract/sexp/forms.ts';
import { readText } from '#contract/sexp/reader.ts';
import type { Binding } from '#contract/sexp/scopes/environment.ts';
import { localAt } from '#contract/sexp/scopes/scopes.ts';
import { symbolAt } from '../../sexp/symbols.ts';
import { readingOf } from '../groups/active-editor.ts';
import { bufferOf } from '../text/buffers.ts';
import { monaco } from '../monaco/monaco.ts';
import { packageLinesOf } from '../text/package-lines.ts';
import { topLevelsOf } from '../text/top-levels.ts';

type Model = monaco.editor.ITextModel;

/** The maximum number of characters of a form that are sent to the image. */
const FORM_LIMIT = 200_000;

/** Returns the symbol at a position as written, and its range; null if there is none. */
export function symbolNear(model: Model, place: monaco.IPosition): { symbol: string; range: monaco.Range } | null {
  const line = place.lineNumber;
  const found = symbolAt(model.getLineContent(line), place.column - 1);
  return found && { symbol: found.text, range: new monaco.Range(line, found.start + 1, line, found.end + 1) };
}

/** Returns the local binding that a symbol refers to, according to the text only; null if the symbol is not a local name. */
export function localNear(model: Model, { range }: { range: monaco.Range }): Binding | null {
  const { text, reading } = readingOf(model);
  return localAt(text, reading.forms, model.getOffsetAt(range.getEndPosition()));
}

/**
 * Returns the package of the nearest `(in-package …)` form above a line; only a form in column one counts. In an expansion or an evaluated
 * form, returns the form's package. Returns null if there is none.
 */
export function packageNear(model: Model, line: number): string | null {
  const notice = bufferOf(model)?.notice;
  if (notice?.kind === 'expansion' || notice?.kind === 'evaluated') return notice.package;
  for (const at of packageLinesOf(model).before(line)) {
    const text = model.getLineContent(at);
    const above = at > 1 ? model.getLineContent(at - 1) : '';
    if (/^#[+-]/.test(above) && deadForms(`${above}\n${text}`).length > 0) continue;
    const [form] = readText(text).forms;
    const name = form?.children[1];
    if (name) return designatedName(text, name);
  }
  return null;
}

/** Returns the lines of the top-level form around a position, and the position as an offset in them; null if they are too long to send. */
export function formNear(model: Model, place: monaco.IPosition): { text: string; offset: number; line: number } | null {
  const { first, last } = topLevelsOf(model).around(place.lineNumber);
  const { LF } = monaco.editor.EndOfLinePreference;
  const text = model.getValueInRange(new monaco.Range(first, 1, last, model.getLineMaxColumn(last)), LF);
  if (text.length > FORM_LIMIT) return null;
  const offset = model.getValueInRange(new monaco.Range(first, 1, place.lineNumber, place.column), LF).length;
  return { text, offset, line: first };
}
