/** The list at a place of a text, and the path to it from its top-level form. Pure. */
import type { Form } from '#contract/sexp/reader.ts';

export interface FormPath {
  readonly form: Form;
  /** The index of each list in its parent, from the top-level form down; empty for the top-level form itself. */
  readonly path: readonly number[];
  /**
   * True if a prefix such as `'` is before the list or a list around it. The list is then data, or the reader does not read it as a single
   * list.
   */
  readonly prefixed: boolean;
}

/**
 * Returns the innermost list around an offset. A list that begins there counts; a list that ends there counts only if there is no other.
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
