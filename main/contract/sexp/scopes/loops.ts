/** The variables of LOOP and ITERATE, and which words in a LOOP are keywords. */
import type { Form } from '#contract/sexp/reader.ts';
import { type Environment, nameOf, placeOf } from './environment.ts';

/** Keywords of LOOP that are followed by a variable. */
const BINDING = new Set(['for', 'as', 'with', 'into']);
/** Keywords of LOOP that are followed by a form. */
const BEFORE_FORM = new Set(
  'in on = across from to below above upto downto upfrom downfrom by then collect collecting append appending nconc nconcing sum summing count counting maximize maximizing minimize minimizing when if unless while until always never thereis return repeat do doing initially finally being of using'.split(
    ' ',
  ),
);
const OTHERS = new Set(
  'and else end named each the hash-key hash-keys hash-value hash-values symbol symbols present-symbol present-symbols external-symbol external-symbols it fixnum float of-type t nil'.split(
    ' ',
  ),
);

/** Binds the variables of a LOOP or ITERATE form in `inner`, and walks all forms in it. */
export function walkLoop(
  text: string,
  { children }: Form,
  inner: Environment,
  walk: (form: Form, environment: Environment) => void,
): void {
  const rest = children.slice(1);
  const words = rest.map((form) => wordOf(text, form));
  const forms: Form[] = [];
  let before = '';
  for (const [index, form] of rest.entries()) {
    const word = words[index]!;
    const isBound = BINDING.has(before) || (before === 'and' && isForm(words[index + 1]));
    if (isBound) bindPattern(text, form, inner, before === 'into');
    else if (form.kind === 'list' || BEFORE_FORM.has(before)) forms.push(form);
    else if (!BINDING.has(word) && !BEFORE_FORM.has(word) && !OTHERS.has(word)) forms.push(form);
    // After the form or variable of a keyword, the next word may be a keyword again.
    before = isBound || BEFORE_FORM.has(before) || form.kind !== 'atom' ? '' : word;
  }
  for (const form of forms) walk(form, inner);
}

/** Returns true if a form begins after `and`: `and x = 1` continues with variables, `when a do … and do …` does not. */
function isForm(next: string | undefined): boolean {
  return (
    next !== undefined && ['=', 'in', 'on', 'across', 'from', 'being', 'of-type', 'upfrom', 'downfrom'].includes(next)
  );
}

/** Binds the variables of ITERATE's clauses, which can be anywhere in its body, and walks the body. */
export function walkIterate(
  text: string,
  { children }: Form,
  inner: Environment,
  walk: (form: Form, environment: Environment) => void,
): void {
  const clauses = children.slice(1);
  for (const { children: parts } of clauses) {
    if (['for', 'as', 'with', 'generate', 'generating'].includes(wordOf(text, parts[0])) && parts[1])
      bindPattern(text, parts[1], inner, false);
    const into = parts.findIndex((part) => wordOf(text, part) === 'into');
    if (into > 0 && parts[into + 1]) bindPattern(text, parts[into + 1]!, inner, true);
  }
  for (const clause of clauses) walk(clause, inner);
}

/** Binds a variable, or all variables of a pattern. The variable of a collecting clause may appear several times. */
function bindPattern(text: string, form: Form, inner: Environment, collects: boolean): void {
  const name = nameOf(text, form);
  if (name === null) for (const child of form.children) bindPattern(text, child, inner, collects);
  else if (name === 'nil') return;
  else if (collects && inner.find('variable', name)) inner.refer('variable', name, placeOf(form));
  else inner.bind('variable', name, placeOf(form));
}

function wordOf(text: string, form: Form | undefined): string {
  return form?.kind === 'atom' ? text.slice(form.body, form.end).toLowerCase().replace(/^:/, '') : '';
}
