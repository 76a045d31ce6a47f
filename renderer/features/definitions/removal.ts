/** The form that removes a definition from the image, and the effect of the removal. Pure. */
import type { DefinitionRecord } from '#contract/image/definition.ts';
import { readText } from '#contract/sexp/reader.ts';
import { shownName } from './definition-rows.ts';

export interface Removal {
  /** The form, to be read in the definition's package. */
  readonly form: string;
  /** A sentence about the effect of the removal. */
  readonly consequence: string;
}

/** Returns the removal of a definition; null for a kind that Common Lisp cannot remove. */
export function removalOf({ kind, name }: Pick<DefinitionRecord, 'kind' | 'name'>): Removal | null {
  const shown = shownName(name);
  switch (kind) {
    case 'function':
    case 'macro':
      return {
        form: `(fmakunbound '${shown})`,
        consequence:
          kind === 'macro'
            ? 'Code that is already compiled does not change. Newly compiled code treats the name as a function.'
            : 'Callers signal UNDEFINED-FUNCTION until it is defined again.',
      };
    case 'generic-function':
      return {
        form: `(fmakunbound '${shown})`,
        consequence: 'All of its methods are removed too. Callers signal UNDEFINED-FUNCTION.',
      };
    case 'variable':
      return {
        form: `(makunbound '${shown})`,
        consequence: 'It becomes unbound, but is still special.',
      };
    case 'class':
    case 'structure':
    case 'condition':
      return {
        form: `(setf (find-class '${shown}) nil)`,
        consequence: 'Its name no longer names a class. Instances, subclasses and methods do not change.',
      };
    case 'method': {
      const form = methodRemoval(shown);
      return form === null
        ? null
        : {
            form,
            consequence:
              'Calls use the other methods of the generic function, or signal an error if no method applies.',
          };
    }
    case 'constant':
    case 'type':
      return null;
  }
}

/** Converts the name of a method, such as `discount :around (member t)`, to the form that removes that method. */
function methodRemoval(name: string): string | null {
  const forms = readText(name).forms;
  const [function_, ...rest] = forms;
  const specializers = rest.at(-1);
  if (!function_ || specializers?.kind !== 'list') return null;
  const text = ({ start, end }: { start: number; end: number }): string => name.slice(start, end);
  const qualifiers = rest.slice(0, -1).map(text).join(' ');
  const classes = specializers.children.map((each) =>
    each.kind === 'list' ? `'${text(each)}` : `(find-class '${text(each)})`,
  );
  return `(remove-method #'${text(function_)} (find-method #'${text(function_)} '(${qualifiers}) (list ${classes.join(' ')})))`;
}
