/** Describes the caret's position in its text, for the path line. Pure. */
import { definitionIn, designatedName, packageAt } from '#contract/sexp/forms.ts';
import type { Form, Reading } from '#contract/sexp/reader.ts';

export interface CaretPlace {
  /** The package in which code at the caret is read; null for the REPL's own package. */
  readonly package: string | null;
  /** The name of the definition or other top-level form around the caret, otherwise of the definition before the caret. */
  readonly name: string | null;
  /** True if the caret is outside all forms, so that `name` is the definition before the caret. */
  readonly after: boolean;
}

export const NOWHERE: CaretPlace = { package: null, name: null, after: false };

export function placeAt(text: string, reading: Reading, caret: number): CaretPlace {
  const around = reading.forms.find(({ start, end }) => start <= caret && caret <= end);
  const inPackage = packageAt(text, reading, caret);
  const name = around ? (nameOf(text, around) ?? headOf(text, around)) : null;
  if (name !== null) return { package: inPackage, name, after: false };
  const before = reading.forms.findLast((form) => form.end < caret && definitionIn(text, form) !== null);
  return { package: inPackage, name: before ? nameOf(text, before) : null, after: before !== undefined };
}

/** Returns the name that a form defines. For a package or system, converts the designator to a name. */
function nameOf(text: string, form: Form): string | null {
  const defined = definitionIn(text, form);
  if (!defined) return null;
  const designator = form.children[1];
  const isDesignated = /^def(?:package|system)$|^define-package$/.test(defined.operator) && designator;
  return isDesignated ? (designatedName(text, designator)?.toLowerCase() ?? defined.name) : defined.name;
}

/** Describes a form that defines nothing by its operator: `(in-package …)`. */
function headOf(text: string, form: Form): string | null {
  const [operator] = form.children;
  if (form.kind !== 'list' || operator?.kind !== 'atom') return null;
  const word = text.slice(operator.start, operator.end);
  return form.children.length > 1 ? `(${word} …)` : `(${word})`;
}
