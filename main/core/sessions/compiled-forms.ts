/** The definitions of a text that was compiled, as an evaluation would have told them: what a replay evaluates again. */
import { definitionIn, packageAt } from '#contract/sexp/forms.ts';
import { readText } from '#contract/sexp/reader.ts';
import type { EvaluatedForm } from '#core/lisp/messages.ts';

/** Returns the top-level forms of `text` that define something or change the package, in order; it begins in `inPackage`. */
export function definingForms(text: string, inPackage: string): EvaluatedForm[] {
  const reading = readText(text);
  return reading.forms.flatMap((form) => {
    const defined = definitionIn(text, form);
    if (!defined) return [];
    const { start, end } = form;
    const defines = defined.operator.toUpperCase();
    return [
      { start, end, defines, name: defined.name.toUpperCase(), package: packageAt(text, reading, start) ?? inPackage },
    ];
  });
}
