/** Finds the bracket beside the caret and its partner. Pure. */
import { type Form, scanOnly } from '#contract/sexp/reader.ts';

/**
 * Returns the offsets of the brackets of the list that ends directly before the caret, or otherwise of the list that begins directly after
 * it; null if there is no bracket beside the caret.
 */
export function bracketsAt(text: string, caret: number): { open: number; close: number } | null {
  if (text.charAt(caret - 1) !== ')' && text.charAt(caret) !== '(') return null;
  const { forms } = scanOnly(text);
  const ending = find(forms, ({ closed, end }) => closed && end === caret);
  const beginning = find(forms, ({ closed, body }) => closed && body === caret);
  const list = (text.charAt(caret - 1) === ')' ? ending : null) ?? beginning;
  return list && { open: list.body, close: list.end - 1 };
}

function find(forms: readonly Form[], wanted: (list: Form) => boolean): Form | null {
  for (const form of forms) {
    if (form.kind !== 'list') continue;
    if (wanted(form)) return form;
    const inside = find(form.children, wanted);
    if (inside) return inside;
  }
  return null;
}
