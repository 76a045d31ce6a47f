/**
 * Finds local names: the variable, function, macro or symbol macro that a name refers to, from the text only. Bindings of unknown macros
 * are not found. Operators whose names begin with WITH- or DO are assumed to bind like the standard ones.
 */
import { operatorName } from '#contract/sexp/forms.ts';
import type { Form } from '#contract/sexp/reader.ts';
import { type Binding, Environment, nameOf, type Place, placeOf } from './environment.ts';
import { bindLambdaList } from './lambda-lists.ts';
import { walkIterate, walkLoop } from './loops.ts';

/** Returns the local binding of the name at an offset; null if the name is not local. */
export function localAt(text: string, forms: readonly Form[], offset: number): Binding | null {
  const form = forms.find(({ start, end }) => start <= offset && offset <= end);
  const isHere = ({ start, end }: { start: number; end: number }): boolean => start <= offset && offset <= end;
  return (form && localsIn(text, form).find(({ places }) => places.some(isHere))) ?? null;
}

/** Returns all local bindings in a top-level form. */
function localsIn(text: string, form: Form): readonly Binding[] {
  const found: Binding[] = [];
  new Walk(text, found).form(form, new Environment(), 0);
  return found;
}

/** Returns the end offsets of all occurrences of a name that refer to a local binding. */
export function localPlaces(text: string, forms: readonly Form[], name: string): ReadonlySet<number> {
  const wanted = name.toLowerCase();
  const within = forms.filter(({ start, end }) => text.slice(start, end).toLowerCase().includes(wanted));
  const bindings = within.flatMap((form) => localsIn(text, form)).filter((binding) => binding.name === wanted);
  return new Set(bindings.flatMap(({ places }) => places.map(({ end }) => end)));
}

/**
 * Returns the edits that rename a local name, without duplicates. The keyword that callers pass and the slot in WITH-SLOTS keep their old
 * names.
 */
export function renamedLocal(
  text: string,
  { at, places, written }: Binding,
  name: string,
): (Place & { text: string })[] {
  const old = text.slice(at.start, at.end);
  const bound = {
    plain: name,
    key: `((:${old} ${name}))`,
    'key-list': `(:${old} ${name})`,
    slot: `(${old} ${name})`,
  }[written];
  const others = new Map(places.map((place) => [place.start, place]));
  others.delete(at.start);
  return [{ ...at, text: bound }, ...[...others.values()].map((place) => ({ ...place, text: name }))];
}

/** An environment that also collects each new binding in a list. */
class Told extends Environment {
  readonly #found: Binding[];

  constructor(outer: Environment, found: Binding[]) {
    super(outer);
    this.#found = found;
  }

  override bind(...asked: Parameters<Environment['bind']>): Binding | null {
    const binding = super.bind(...asked);
    if (binding) this.#found.push(binding);
    return binding;
  }
}

type Handler = (walk: Walk, form: Form, at: Environment) => void;

class Walk {
  readonly text: string;
  readonly #found: Binding[];

  constructor(text: string, found: Binding[]) {
    this.text = text;
    this.#found = found;
  }

  inner(outer: Environment): Environment {
    return new Told(outer, this.#found);
  }

  /** Walks a form. `depth` is the number of enclosing backquotes minus the number of enclosing commas. */
  form(form: Form, at: Environment, depth = 0): void {
    const prefix = this.text.slice(form.start, form.body);
    const left = depth + count(prefix, '`') - count(prefix, ',');
    if (/'/.test(prefix.replaceAll("#'", '')) && left <= 0) return;
    if (form.kind === 'atom') {
      const name = nameOf(this.text, form);
      if (left <= 0 && name !== null) at.refer(prefix.includes("#'") ? 'function' : 'variable', name, placeOf(form));
    } else if (left > 0) for (const child of form.children) this.form(child, at, left);
    else if (form.kind === 'list') this.#list(form, at);
  }

  forms(forms: readonly Form[], at: Environment): void {
    for (const each of forms) this.form(each, at);
  }

  /** Binds a lambda list and walks the forms after it. */
  lambda(
    list: Form | undefined,
    body: readonly Form[],
    at: Environment,
    required: 'destructured' | 'specialized',
  ): void {
    const inner = this.inner(at);
    bindLambdaList(this.text, list, inner, required, (form, environment) => this.form(form, environment));
    this.forms(body, inner);
  }

  #list(form: Form, at: Environment): void {
    const [head, ...rest] = form.children;
    if (!head) return;
    if (head.kind !== 'atom') return this.forms(form.children, at);
    const operator = operatorName(this.text, head);
    const local = nameOf(this.text, head);
    if (local !== null && at.find('function', local)) {
      at.refer('function', local, placeOf(head));
      return this.forms(rest, at);
    }
    const handler = HANDLERS[operator] ?? byPrefix(operator);
    if (handler) handler(this, form, at);
    else this.forms(rest, at);
  }

  /** Binds the name in each element of `bindings`. An element is `name` or `(name form)`. */
  bindAll(bindings: readonly Form[], inner: Environment, written: 'plain' | 'slot' = 'plain'): void {
    for (const binding of bindings) {
      const variable = binding.kind === 'list' ? binding.children[0] : binding;
      const name = nameOf(this.text, variable);
      if (variable && name !== null)
        inner.bind('variable', name, placeOf(variable), binding.kind === 'list' ? 'plain' : written);
    }
  }
}

const count = (text: string, char: string): number => text.split(char).length - 1;

/** Returns the initial forms of bindings `(name form)`. */
const initsOf = (bindings: readonly Form[]): Form[] => bindings.flatMap(({ children }) => children.slice(1));

const parallel: Handler = (walk, { children: [, bindings, ...body] }, at) => {
  const all = bindings?.children ?? [];
  walk.forms(initsOf(all), at);
  const inner = walk.inner(at);
  walk.bindAll(all, inner);
  walk.forms(body, inner);
};

const sequential: Handler = (walk, { children: [, bindings, ...body] }, at) => {
  let inner = at;
  for (const binding of bindings?.children ?? []) {
    walk.forms(binding.children.slice(1), inner);
    inner = walk.inner(inner);
    walk.bindAll([binding], inner);
  }
  walk.forms(body, inner);
};

/** Returns the handler for an operator that binds local functions or macros. With `recursive`, their bodies can refer to each other. */
const functions =
  (recursive: boolean, required: 'destructured' | 'specialized'): Handler =>
  (walk, { children: [, definitions, ...body] }, at) => {
    const inner = walk.inner(at);
    const all = definitions?.children ?? [];
    for (const { children } of all) {
      const name = nameOf(walk.text, children[0]);
      if (name !== null) inner.bind('function', name, placeOf(children[0]!));
    }
    for (const { children } of all) walk.lambda(children[1], children.slice(2), recursive ? inner : at, required);
    walk.forms(body, inner);
  };

/** Returns the handler for an operator whose lambda list is at an index of the form, followed by the body. */
const lambdaAt =
  (index: number, required: 'destructured' | 'specialized'): Handler =>
  (walk, { children }, at) =>
    walk.lambda(children[index], children.slice(index + 1), at, required);

/** Walks a method, whose lambda list is the first list after its name and qualifiers. */
function method(walk: Walk, children: readonly Form[], from: number, at: Environment): void {
  const index = children.findIndex((form, position) => position >= from && form.kind === 'list');
  if (index >= 0) walk.lambda(children[index], children.slice(index + 1), at, 'specialized');
}

/**
 * Returns the handler for `(var form …)`, whose variable is bound in the body. Without `always`, a name that is already bound is not a new
 * variable: `(with-lock (lock) …)`.
 */
const firstOf =
  (always: boolean): Handler =>
  (walk, { children: [, list, ...body] }, at) => {
    const [variable, ...args] = list?.children ?? [];
    const name = list?.kind === 'list' ? nameOf(walk.text, variable) : null;
    if (!list || name === null || (!always && at.find('variable', name))) {
      if (list) walk.forms(list.kind === 'list' ? list.children : [list], at);
      return walk.forms(body, at);
    }
    const inner = walk.inner(at);
    // The result form of DOLIST can use the variable; the first argument cannot.
    walk.forms(args.slice(0, 1), at);
    inner.bind('variable', name, placeOf(variable!));
    walk.forms(args.slice(1), always ? inner : at);
    walk.forms(body, inner);
  };

const doLoop =
  (isSequential: boolean): Handler =>
  (walk, { children: [, bindings, end, ...body] }, at) => {
    let inner = walk.inner(at);
    const all = bindings?.children ?? [];
    for (const binding of all) {
      walk.forms(binding.children.slice(1, 2), isSequential ? inner : at);
      if (isSequential) inner = walk.inner(inner);
      walk.bindAll([binding], inner);
    }
    walk.forms([...all.flatMap(({ children }) => children.slice(2)), ...(end?.children ?? []), ...body], inner);
  };

/** Walks clauses whose second element is a lambda list that binds variables. */
const clauses: Handler = (walk, { children: [, form, ...all] }, at) => {
  if (form) walk.form(form, at);
  for (const { children } of all) walk.lambda(children[1], children.slice(2), at, 'destructured');
};

/** Walks clauses whose first element is not evaluated: data in CASE and TYPECASE, a type in HANDLER-BIND. */
const keyed: Handler = (walk, { children: [, form, ...all] }, at) => {
  if (form) walk.form(form, at);
  for (const { children } of all) walk.forms(children.slice(1), at);
};

const slots: Handler = (walk, { children: [, names, instance, ...body] }, at) => {
  if (instance) walk.form(instance, at);
  const inner = walk.inner(at);
  walk.bindAll(names?.children ?? [], inner, 'slot');
  walk.forms(body, inner);
};

/** Walks `((name form) …)` or a single `(name form)`, as in ALEXANDRIA:WHEN-LET. */
const letOrOne: Handler = (walk, form, at) => {
  const [head, bindings, ...body] = form.children;
  if (bindings?.children[0]?.kind !== 'atom') return parallel(walk, form, at);
  return parallel(walk, { ...form, children: [head!, { ...bindings, children: [bindings] }, ...body] }, at);
};

/** Walks a list of names to bind: `(with-gensyms (a (b "B")) …)`, `(once-only (a) …)`. */
const names: Handler = (walk, { children: [, list, ...body] }, at) => {
  const inner = walk.inner(at);
  walk.bindAll(list?.children ?? [], inner);
  walk.forms(body, inner);
};

/** Walks declarations, and records the variables and functions that they mention. */
const declaration: Handler = (walk, { children }, at) => {
  for (const { children: parts } of children.slice(1)) {
    const word = parts[0] ? operatorName(walk.text, parts[0]) : '';
    const about = parts.slice(['type', 'ftype'].includes(word) ? 2 : 1);
    const namespace = ['inline', 'notinline', 'ftype'].includes(word) ? 'function' : 'variable';
    for (const each of about) {
      const name = nameOf(walk.text, each);
      const isFunction = walk.text.slice(each.start, each.body).includes("#'");
      if (name !== null) at.refer(isFunction ? 'function' : namespace, name, placeOf(each));
      else if (each.kind === 'list' && each.children[0] && operatorName(walk.text, each.children[0]) === 'function')
        functionName(walk, each, at);
    }
  }
};

const functionName: Handler = (walk, { children: [, named] }, at) => {
  const name = nameOf(walk.text, named);
  if (named && name !== null) at.refer('function', name, placeOf(named));
  else if (named) walk.form(named, at);
};

/** Walks a form whose first argument is not evaluated: a block name, a type or another name. */
const afterFirst: Handler = (walk, { children }, at) => walk.forms(children.slice(2), at);

const all = (handler: Handler, ...operators: string[]): Record<string, Handler> =>
  Object.fromEntries(operators.map((operator) => [operator, handler]));

const HANDLERS: Readonly<Record<string, Handler>> = {
  ...all(parallel, 'let', 'prog', 'symbol-macrolet'),
  ...all(sequential, 'let*', 'prog*', 'when-let*'),
  ...all(letOrOne, 'when-let', 'if-let'),
  ...all(functions(false, 'specialized'), 'flet'),
  ...all(functions(true, 'specialized'), 'labels'),
  ...all(functions(false, 'destructured'), 'macrolet'),
  ...all(lambdaAt(1, 'specialized'), 'lambda'),
  ...all(lambdaAt(2, 'specialized'), 'defun', 'named-lambda', 'define-modify-macro'),
  ...all(lambdaAt(2, 'destructured'), 'defmacro', 'deftype', 'define-compiler-macro', 'define-setf-expander'),
  ...all((walk, { children }, at) => method(walk, children, 2, at), 'defmethod'),
  defgeneric: (walk, { children }, at) => {
    for (const option of children.slice(3))
      if (option.children[0] && walk.text.slice(option.children[0].start, option.children[0].end) === ':method')
        method(walk, option.children, 1, at);
  },
  ...all(doLoop(false), 'do'),
  ...all(doLoop(true), 'do*'),
  ...all(firstOf(true), 'dolist', 'dotimes', 'do-symbols', 'do-external-symbols', 'do-all-symbols'),
  ...all(firstOf(true), 'with-open-file', 'with-output-to-string', 'with-input-from-string', 'with-open-stream'),
  'destructuring-bind': (walk, { children: [, list, form, ...body] }, at) => {
    if (form) walk.form(form, at);
    walk.lambda(list, body, at, 'destructured');
  },
  'multiple-value-bind': (walk, { children: [, list, form, ...body] }, at) => {
    if (form) walk.form(form, at);
    walk.lambda(list, body, at, 'destructured');
  },
  ...all(slots, 'with-slots', 'with-accessors'),
  ...all(clauses, 'handler-case', 'restart-case'),
  ...all(keyed, 'case', 'ccase', 'ecase', 'typecase', 'ctypecase', 'etypecase'),
  ...all(
    (walk, { children: [, list, ...body] }, at) => {
      for (const { children } of list?.children ?? []) walk.forms(children.slice(1), at);
      walk.forms(body, at);
    },
    'handler-bind',
    'restart-bind',
  ),
  cond: (walk, { children }, at) => {
    for (const { children: clause } of children.slice(1)) walk.forms(clause, at);
  },
  loop: (walk, form, at) =>
    walkLoop(walk.text, form, walk.inner(at), (each, environment) => walk.form(each, environment)),
  ...all(
    (walk, form, at) =>
      walkIterate(walk.text, form, walk.inner(at), (each, environment) => walk.form(each, environment)),
    'iter',
    'iterate',
  ),
  ...all(names, 'with-gensyms', 'with-unique-names'),
  ...all(declaration, 'declare'),
  ...all(functionName, 'function'),
  ...all(afterFirst, 'block', 'return-from', 'the', 'eval-when', 'catch-tag'),
  ...all(() => {}, 'quote', 'go', 'in-package', 'defpackage'),
};

/** Returns a handler for an operator, chosen by its name only; null if the name does not suggest a binding. */
function byPrefix(operator: string): Handler | null {
  return /^(?:with-|do-?[a-z])/.test(operator) && operator !== 'documentation' ? firstOf(false) : null;
}
