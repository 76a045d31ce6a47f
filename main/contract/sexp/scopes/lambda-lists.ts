/** Binds the variables of lambda lists: of ordinary functions, of methods, and of destructuring forms. */
import type { Form } from '#contract/sexp/reader.ts';
import { type Environment, nameOf, placeOf, type Written } from './environment.ts';

/** The meaning of a list in the position of a required parameter: a pattern to destructure, or a variable with its specializer. */
export type RequiredLists = 'destructured' | 'specialized';

/**
 * Binds the variables of a lambda list in `inner`, one by one. Calls `walk` for the default values, which can use the earlier variables.
 */
export function bindLambdaList(
  text: string,
  list: Form | undefined,
  inner: Environment,
  required: RequiredLists,
  walk: (form: Form, environment: Environment) => void,
): void {
  let section = '';
  const bind = (form: Form, written: Written = 'plain'): void => {
    const name = nameOf(text, form);
    if (name !== null) inner.bind('variable', name, placeOf(form), written);
    else if (form.kind === 'list') bindLambdaList(text, form, inner, required, walk);
  };
  for (const form of list?.children ?? []) {
    const word = form.kind === 'atom' ? text.slice(form.body, form.end).toLowerCase() : '';
    if (word.startsWith('&')) section = word;
    else if (section === '' && form.kind === 'list' && required === 'specialized') {
      const [variable, specializer] = form.children;
      if (variable) bind(variable);
      // In an (eql form) specializer, the form is evaluated.
      if (specializer?.kind === 'list') for (const each of specializer.children.slice(1)) walk(each, inner);
    } else if (form.kind === 'list' && ['&optional', '&key', '&aux'].includes(section)) {
      const [variable, init, supplied] = form.children;
      if (init) walk(init, inner);
      if (variable?.kind === 'list' && section === '&key') bind(variable.children[1] ?? variable);
      else if (variable) bind(variable, section === '&key' ? 'key-list' : 'plain');
      if (supplied) bind(supplied);
    } else bind(form, section === '&key' ? 'key' : 'plain');
  }
}
