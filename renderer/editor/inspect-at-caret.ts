/** The name or form at the caret, whose value is to be inspected. */
import { formAt, packageAt } from '#contract/sexp/forms.ts';
import { activeEditor, readingOf } from './active-editor.ts';
import { type ShownValue, valueAt } from './results.ts';

/** A name is looked up, a form is evaluated; a value that stands beside the form already is shown as it is. */
export type Inspectable =
  | { readonly kind: 'name' | 'form'; readonly text: string; readonly package: string | null }
  | { readonly kind: 'value'; readonly text: string; readonly value: ShownValue };

/** Returns the selection, or the form at the caret; null where there is none. */
export function formOrNameAtCaret(): Inspectable | null {
  const editor = activeEditor();
  const model = editor?.getModel();
  const position = editor?.getPosition();
  if (!model || !position) return null;
  const { text, reading } = readingOf(model);
  const caret = model.getOffsetAt(position);
  const selection = editor?.getSelection();
  const selected = selection && !selection.isEmpty() ? model.getValueInRange(selection).trim() : '';
  const span = selected === '' ? formAt(text, reading, caret) : null;
  const code = span ? text.slice(span.start, span.end).trim() : selected;
  if (code === '') return null;
  const value = isName(code) ? null : valueAt(model, span?.end ?? caret);
  if (value) return { kind: 'value', text: value.title, value };
  const inPackage = packageAt(text, reading, span?.start ?? caret);
  return { kind: isName(code) ? 'name' : 'form', text: code, package: inPackage };
}

/** True for a symbol, `'symbol` or `#'function`: what can be looked up without evaluating it. */
function isName(code: string): boolean {
  return /^(?:'|#')?[^\s()"';`,#|\d:.][^\s()"';`,]*$/.test(code);
}
