/** The package in which the image reads code from a text. */
import { packageAt } from '#contract/sexp/forms.ts';
import { readingOf } from '../groups/active-editor.ts';
import { bufferOf } from './buffers.ts';
import { isLarge } from './large-texts.ts';
import type { monaco } from '../monaco/monaco.ts';
import { packageNear } from '../providers/context.ts';

/**
 * Returns the package of the last `(in-package …)` before an offset. In an expansion or an evaluated form, returns the form's package.
 * Returns null for the person's current package.
 */
export function packageIn(model: monaco.editor.ITextModel, offset: number): string | null {
  const notice = bufferOf(model)?.notice;
  if (notice?.kind === 'expansion' || notice?.kind === 'evaluated') return notice.package;
  if (isLarge(model)) return packageNear(model, model.getPositionAt(offset).lineNumber);
  const { text, reading } = readingOf(model);
  return packageAt(text, reading, offset);
}
