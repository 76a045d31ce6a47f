/**
 * Functions defined by the person's own macros, such as `(define-handler login …)`. The text does not show that such forms define
 * functions, but the image does.
 */
import type { PackageDefinitions } from '#contract/image/definition.ts';
import type { Form } from '#contract/sexp/reader.ts';
import { bareName } from '../../sexp/symbols.ts';

type Definitions = ReadonlyMap<string, PackageDefinitions>;

/** Names of functions, by package. The names of macros are combined for all packages. */
interface Names {
  readonly functions: ReadonlyMap<string, ReadonlySet<string>>;
  readonly macros: ReadonlySet<string>;
}

const known = new WeakMap<Definitions, Names>();

/**
 * True if a form calls a macro that the image lists, and its first argument names a function of `inPackage`. Packages and names are in
 * capitals, as in the image's lists.
 */
export function macroDefinesFunction(text: string, form: Form, inPackage: string, definitions: Definitions): boolean {
  const [operator, name] = form.children;
  if (form.kind !== 'list' || operator?.kind !== 'atom' || name?.kind !== 'atom') return false;
  const { functions, macros } = namesIn(definitions);
  const symbol = (part: Form): string => bareName(text.slice(part.start, part.end)).toUpperCase();
  return macros.has(symbol(operator)) && functions.get(inPackage)?.has(symbol(name)) === true;
}

/** True if the image lists a macro of that name, written in capitals without a package. */
export function isListedMacro(name: string, definitions: Definitions): boolean {
  return namesIn(definitions).macros.has(name);
}

function namesIn(definitions: Definitions): Names {
  const before = known.get(definitions);
  if (before) return before;
  const functions = new Map<string, ReadonlySet<string>>();
  const macros = new Set<string>();
  for (const [name, { definitions: all }] of definitions) {
    functions.set(name, new Set(all.filter(({ kind }) => kind === 'function').map((each) => each.name)));
    for (const each of all) if (each.kind === 'macro') macros.add(each.name);
  }
  const names = { functions, macros };
  known.set(definitions, names);
  return names;
}
