/** Local bindings of a text: what binds them, where their names stand, and which of them is seen at a place. */
import type { Form } from '#contract/sexp/reader.ts';

/** The namespace of a local name: macros and symbol macros are with functions and variables. */
export type Namespace = 'variable' | 'function';

/**
 * How a name is written where it is bound: `key` and `key-list` are keyword parameters, `name` and `(name default)`, and `slot` is a name
 * of WITH-SLOTS. There another name needs the old one beside it.
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
  /** Where it is bound. */
  readonly at: Place;
  /** All places of the name, its binding among them, in the order in which they were met. */
  readonly places: Place[];
}

/** The bindings that are seen at a place, innermost first. An inner one sees what the outer one has. */
export class Environment {
  readonly #outer: Environment | null;
  readonly #bindings = new Map<string, Binding>();

  constructor(outer: Environment | null = null) {
    this.#outer = outer;
  }

  find(namespace: Namespace, name: string): Binding | null {
    return this.#bindings.get(`${namespace} ${name}`) ?? this.#outer?.find(namespace, name) ?? null;
  }

  /** Binds a name from here on; a special variable by its asterisks is bound for the time of the call, not for its text. */
  bind(namespace: Namespace, name: string, at: Place, written: Written = 'plain'): Binding | null {
    if (namespace === 'variable' && /^\*.+\*$/.test(name)) return null;
    const binding: Binding = { namespace, name, written, at, places: [at] };
    this.#bindings.set(`${namespace} ${name}`, binding);
    return binding;
  }

  /** Notes a place of a name; nothing for a name that is not bound here. */
  refer(namespace: Namespace, name: string, place: Place): void {
    this.find(namespace, name)?.places.push(place);
  }
}

/** The name that an atom writes, in lower case; null for keywords, names with a package, numbers with a prefix, and forms that are no atoms. */
export function nameOf(text: string, form: Form | undefined): string | null {
  if (form?.kind !== 'atom') return null;
  const word = text.slice(form.body, form.end);
  return word === '.' || /[:#|\\]/.test(word) ? null : word.toLowerCase();
}

export function placeOf({ body, end }: Form): Place {
  return { start: body, end };
}
