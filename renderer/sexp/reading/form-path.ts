/** The list at a position of a text, and its path from the top-level form around it. Pure. */
import type { Form } from '#contract/sexp/reader.ts';

export interface FormPath {
  readonly form: Form;
  /** The index of each list in its parent, from the top-level form down; empty for the top-level form itself. */
  readonly path: readonly number[];
  /** True if a prefix such as `'` precedes the list or a list around it. The list is then data, or is not read as a single list. */
  readonly prefixed: boolean;
}

/**
 * Returns the innermost list around an offset. A list that begins at the offset counts as around it; a list that ends there counts only if
 * there is no other.
 */
export function listAt(forms: readonly Form[], offset: number): FormPath | null {
  return (
    around(forms, (form) => form.start <= offset && offset < form.end) ?? around(forms, (form) => form.end === offset)
  );
}

function around(forms: readonly Form[], holds: (form: Form) => boolean): FormPath | null {
  let found: FormPath | null = null;
  let level = forms;
  let path: readonly number[] = [];
  let prefixed = false;
  for (;;) {
    const index = level.findIndex((form) => form.kind === 'list' && holds(form));
    const form = level[index];
    if (!form) return found;
    if (found) path = [...path, index];
    prefixed ||= form.start !== form.body;
    found = { form, path, prefixed };
    level = form.children;
  }
}
