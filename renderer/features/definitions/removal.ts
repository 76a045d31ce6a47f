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
            ? 'Code compiled with it does not change; newly compiled code treats the name as a function.'
            : 'Code that calls it signals an undefined function until it is defined again.',
      };
    case 'generic-function':
      return {
        form: `(fmakunbound '${shown})`,
        consequence: 'All of its methods go with it. Code that calls it signals an undefined function.',
      };
    case 'variable':
      return {
        form: `(makunbound '${shown})`,
        consequence: 'It becomes unbound, and stays special.',
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
        : { form, consequence: 'Calls go to the other methods of the generic function, or find none that applies.' };
    }
    case 'constant':
    case 'type':
      return null;
  }
}

/** Turns `discount :around (member t)` into the form that removes that method. */
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
