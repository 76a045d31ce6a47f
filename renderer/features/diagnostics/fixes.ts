/** Texts of quick fixes: a stub for an undefined name, an imported symbol, and the place of a name in a form. Pure. */
import type { Form } from '#contract/sexp/reader.ts';
import { designatedName, operatorName } from '#contract/sexp/forms.ts';

/** A text to insert at an offset. */
export interface Insertion {
  readonly offset: number;
  readonly text: string;
}

/** Returns the atom in some forms that is this symbol, written with or without its package; null if there is none. */
export function atomNamed(text: string, forms: readonly Form[], symbol: string): Form | null {
  const wanted = bare(symbol);
  for (const form of forms) {
    if (form.kind === 'atom' && bare(text.slice(form.body, form.end)) === wanted) return form;
    const inside = atomNamed(text, form.children, symbol);
    if (inside) return inside;
  }
  return null;
}

/** Returns a definition of a function that signals an error, with a lambda list that fits the call in which `name` is the operator. */
export function functionStub(text: string, name: Form): string {
  const written = text.slice(name.body, name.end).toLowerCase();
  const call = name.parent?.children[0] === name ? name.parent.children.slice(1) : [];
  const parameters = call.map((argument, index) => parameterFor(text, argument, index));
  const ignored = parameters.length > 0 ? `  (declare (ignore ${parameters.join(' ')}))\n` : '';
  return `(defun ${written} (${parameters.join(' ')})\n${ignored}  (error "${written} is not written yet."))`;
}

/** Returns the name of a parameter for an argument: the argument itself if it is a plain symbol, otherwise its number. */
function parameterFor(text: string, { kind, body, end, start }: Form, index: number): string {
  const written = text.slice(body, end).toLowerCase();
  const isPlain =
    kind === 'atom' && start === body && /^[a-z][a-z\d-]*$/.test(written) && written !== 't' && written !== 'nil';
  return isPlain ? written : `argument-${index + 1}`;
}

/**
 * Returns the change that makes a DEFPACKAGE form import a symbol; null if the text does not define the package. An option that imports from
 * the same package gets the symbol.
 */
export function importInto(
  text: string,
  forms: readonly Form[],
  { inPackage, from, symbol }: { readonly inPackage: string; readonly from: string; readonly symbol: string },
): Insertion | null {
  const isOf = (form: Form | undefined, name: string): boolean =>
    form !== undefined && designatedName(text, form)?.toUpperCase() === name.toUpperCase();
  const definition = forms.find(
    ({ kind, children: [operator, name] }) =>
      kind === 'list' &&
      operator &&
      /^(?:defpackage|define-package)$/.test(operatorName(text, operator)) &&
      isOf(name, inPackage),
  );
  if (!definition?.closed) return null;
  const name = `#:${symbol.toLowerCase()}`;
  const option = definition.children.find(
    ({ kind, children }) =>
      kind === 'list' &&
      text.slice(children[0]?.body, children[0]?.end).toLowerCase() === ':import-from' &&
      isOf(children[1], from),
  );
  if (option) return { offset: option.end - 1, text: ` ${name}` };
  return { offset: definition.end - 1, text: `\n  (:import-from #:${from.toLowerCase()} ${name})` };
}

function bare(symbol: string): string {
  return symbol.slice(symbol.lastIndexOf(':') + 1).toLowerCase();
}
