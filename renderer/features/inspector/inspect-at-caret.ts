/** The name or form at the caret, for inspecting its value. */
import { formAt } from '#contract/sexp/forms.ts';
import { readText } from '#contract/sexp/reader.ts';
import type { InputCaret } from '../../base/image/input-caret.ts';
import { activeEditor } from '../../editor/groups/active-editor.ts';
import { readingNear } from '../../editor/text/reading-near.ts';
import { packageIn } from '../../editor/text/reading-package.ts';
import { type ShownValue, valueAt } from '../evaluate/results.ts';

/** The thing to inspect: a name is looked up, a form is evaluated, and a value that is already shown beside the form is used directly. */
export type Inspectable =
  | { readonly kind: 'name' | 'form'; readonly text: string; readonly package: string | null }
  | { readonly kind: 'value'; readonly text: string; readonly value: ShownValue };

/** Returns the selection or the form at the caret, or null. */
export function formOrNameAtCaret(): Inspectable | null {
  const editor = activeEditor();
  const model = editor?.getModel();
  const position = editor?.getPosition();
  if (!model || !position) return null;
  const near = readingNear(model, position.lineNumber);
  const base = near?.base ?? 0;
  const caret = model.getOffsetAt(position) - base;
  const selection = editor?.getSelection();
  const selected = selection && !selection.isEmpty() ? model.getValueInRange(selection).trim() : '';
  const span = selected === '' && near ? formAt(near.text, near.reading, caret) : null;
  const code = span && near ? near.text.slice(span.start, span.end).trim() : selected;
  if (code === '') return null;
  const value = isName(code) ? null : valueAt(model, base + (span?.end ?? caret));
  if (value) return { kind: 'value', text: value.title, value };
  const inPackage = packageIn(model, base + (span?.start ?? caret));
  return { kind: isName(code) ? 'name' : 'form', text: code, package: inPackage };
}

/** Returns the selection or the form at the caret in the REPL's input, or null. */
export function formOrNameIn(input: InputCaret): Exclude<Inspectable, { readonly kind: 'value' }> | null {
  const span = input.selected === '' ? formAt(input.text, readText(input.text), input.caret) : null;
  const code = span ? input.text.slice(span.start, span.end).trim() : input.selected;
  return code === '' ? null : { kind: isName(code) ? 'name' : 'form', text: code, package: input.package };
}

/** True for a symbol, `'symbol` or `#'function`, which can be looked up without evaluation. */
function isName(code: string): boolean {
  return /^(?:'|#')?[^\s()"';`,#|\d:.][^\s()"';`,]*$/.test(code);
}
