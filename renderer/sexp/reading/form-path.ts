/** The list at a place of a text, and the way to it from its top-level form. Pure. */
import type { Form } from '#contract/sexp/reader.ts';

export interface FormPath {
  readonly form: Form;
  /** The index of each list in the one around it, from the top-level form down; empty for that itself. */
  readonly path: readonly number[];
  /** True when a prefix such as `'` stands before the list or one around it, so that it is data, or not one list to the reader. */
  readonly prefixed: boolean;
}

/** Returns the innermost list around an offset; one that begins there counts, one that ends there does where no other is. */
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
