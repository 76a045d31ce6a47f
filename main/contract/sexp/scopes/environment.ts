/** Local bindings in a text: the forms that bind names, the occurrences of each name, and which binding is visible at a position. */
import type { Form } from '#contract/sexp/reader.ts';

/** The namespace of a local name: macros belong to functions, symbol macros to variables. */
export type Namespace = 'variable' | 'function';

/**
 * The syntax of a name at its binding. `key`: a keyword parameter `name`; `key-list`: a keyword parameter `(name default)`; `slot`: a name
 * in WITH-SLOTS. When a name with one of these three is renamed, the old name must remain next to the new one.
 */
export type Written = 'plain' | 'key' | 'key-list' | 'slot';

export interface Place {
  readonly start: number;
  readonly end: number;
}

export interface Binding {
  readonly namespace: Namespace;
  readonly name: string;
  readonly written: Written;
  /** The position of the binding. */
  readonly at: Place;
  /** The positions of all occurrences of the name, including its binding, in the order in which they are found. */
  readonly places: Place[];
}

/** The bindings that are visible at a position, innermost first. An inner environment also contains the bindings of the outer ones. */
export class Environment {
  readonly #outer: Environment | null;
  readonly #bindings = new Map<string, Binding>();

  constructor(outer: Environment | null = null) {
    this.#outer = outer;
  }

  find(namespace: Namespace, name: string): Binding | null {
    return this.#bindings.get(`${namespace} ${name}`) ?? this.#outer?.find(namespace, name) ?? null;
  }

  /**
   * Binds a name for the rest of the scope, and returns the binding. Returns null for a name with asterisks, because it is a special
   * variable, whose binding is dynamic and not lexical.
   */
  bind(namespace: Namespace, name: string, at: Place, written: Written = 'plain'): Binding | null {
    if (namespace === 'variable' && /^\*.+\*$/.test(name)) return null;
    const binding: Binding = { namespace, name, written, at, places: [at] };
    this.#bindings.set(`${namespace} ${name}`, binding);
    return binding;
  }

  /** Records an occurrence of a name; does nothing if the name is not bound here. */
  refer(namespace: Namespace, name: string, place: Place): void {
    this.find(namespace, name)?.places.push(place);
  }
}

/**
 * Returns the name that an atom denotes, in lower case; null for keywords, names with a package, prefixed numbers, and forms that are not
 * atoms.
 */
export function nameOf(text: string, form: Form | undefined): string | null {
  if (form?.kind !== 'atom') return null;
  const word = text.slice(form.body, form.end);
  return word === '.' || /[:#|\\]/.test(word) ? null : word.toLowerCase();
}

export function placeOf({ body, end }: Form): Place {
  return { start: body, end };
}
