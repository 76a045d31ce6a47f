/** Finds names of systems and packages in Lisp text, using only the text before the caret. Pure. */
import { designatedName, operatorName } from '#contract/sexp/forms.ts';
import { type Form, readText } from '#contract/sexp/reader.ts';

export interface Designator {
  /** The kind of thing that the name refers to; `string` for any other string. */
  readonly kind: 'system' | 'package' | 'string';
  /** The typed part of the name, from `start` to the caret, without its quote, colon or `#:`. */
  readonly typed: string;
  readonly start: number;
  readonly isString: boolean;
}

/** Returns the unfinished name of a system or package, or other unfinished string, at the end of a text; null if there is none. */
export function designatorBefore(text: string): Designator | null {
  const path: Form[] = [];
  let last: Form | undefined;
  for (let level = readText(text).forms; ; level = last.children) {
    last = level.at(-1);
    if (last?.kind !== 'list' || last.closed) break;
    path.push(last);
  }
  const isString = last?.kind === 'string' && !last.closed;
  const isAtom = last?.kind === 'atom' && last.end === text.length;
  const form = isString || isAtom ? last : undefined;
  const written = form ? text.slice(form.body, form.end) : '';
  const start = form ? form.body + (isString ? 1 : /^(?:#?:)?/.exec(written)![0].length) : text.length;
  const kind = kindIn(text, path, form);
  const typed = text.slice(start);
  if (kind === null || (!isString && /[:|\\]/.test(typed)))
    return isString ? { kind: 'string', typed, start, isString } : null;
  return { kind, typed, start, isString };
}

/** The arguments of functions and macros that name systems, counted from 1. */
const SYSTEMS: Readonly<Record<string, number>> = {
  'load-system': 1,
  'load-systems': Infinity,
  'compile-system': 1,
  'test-system': 1,
  'make-system': 1,
  'find-system': 1,
  'require-system': 1,
  'register-immutable-system': 1,
  'clear-system': 1,
  'registered-system': 1,
  'component-loaded-p': 1,
  'system-source-directory': 1,
  'system-source-file': 1,
  'system-relative-pathname': 1,
  'system-version': 1,
  'system-apropos': 1,
  operate: 2,
  oos: 2,
  quickload: Infinity,
  require: 1,
};

const PACKAGES: Readonly<Record<string, number>> = {
  'in-package': 1,
  'find-package': 1,
  'delete-package': 1,
  'rename-package': 1,
  'package-name': 1,
  'use-package': 1,
  'unuse-package': 1,
  'do-external-symbols': 2,
  intern: 2,
  'find-symbol': 2,
};

/** The options of DEFPACKAGE and UIOP:DEFINE-PACKAGE whose first arguments are names of packages, with the number of those names. */
const OPTIONS: Readonly<Record<string, number>> = {
  ':use': Infinity,
  ':mix': Infinity,
  ':reexport': Infinity,
  ':use-reexport': Infinity,
  ':mix-reexport': Infinity,
  ':import-from': 1,
  ':shadowing-import-from': 1,
};

const DEFINES_PACKAGE = /^(?:defpackage|define-package)$/;
const DEPENDENCIES = /^:(?:depends-on|defsystem-depends-on|weakly-depends-on)$/;

/**
 * Returns the kind of thing that the form at the end of the innermost open list names; null if the form does not name a system or package.
 */
function kindIn(text: string, path: readonly Form[], form: Form | undefined): 'system' | 'package' | null {
  const inner = path.at(-1);
  if (!inner) return null;
  const argument = inner.children.length - (form ? 1 : 0);
  const operator = operatorOf(text, inner, form);
  const outer = path.at(-2);
  const around = outer ? operatorOf(text, outer) : '';
  if (path.some((each) => operatorOf(text, each) === 'defsystem'))
    return isDependency(text, path, form) ? 'system' : null;
  if (DEFINES_PACKAGE.test(around)) {
    const option =
      inner.children[0] && inner.children[0] !== form ? text.slice(inner.children[0].start, inner.children[0].end) : '';
    return argument >= 1 && argument <= (OPTIONS[option.toLowerCase()] ?? 0) ? 'package' : null;
  }
  // Quicklisp also takes a quoted list of systems.
  if (around === 'quickload' && outer?.children[1] === inner) return 'system';
  const isAt = (places: Readonly<Record<string, number>>): boolean => {
    const at = Object.hasOwn(places, operator) ? places[operator]! : 0;
    return at === Infinity ? argument >= 1 : argument === at;
  };
  // A name without a quote is a variable, unless a macro takes it unevaluated.
  const isName =
    form === undefined
      ? operator === 'in-package'
      : form.kind === 'string' || isWrittenName(text, form) || operator === 'in-package';
  if (!isName) return null;
  return isAt(SYSTEMS) ? 'system' : isAt(PACKAGES) ? 'package' : null;
}

function isWrittenName(text: string, { start, body }: Form): boolean {
  return text.slice(start, body) === "'" || /^#?:/.test(text.slice(body));
}

/**
 * True for a form in the dependencies of DEFSYSTEM: the systems in its options, in their conditions and versions, and in the `in-order-to`
 * option.
 */
function isDependency(text: string, path: readonly Form[], form: Form | undefined): boolean {
  const at = path.findLastIndex((each) => operatorOf(text, each) === 'defsystem');
  const value = path[at + 1];
  if (!value) return false;
  const option = path[at]!.children.at(path[at]!.children.indexOf(value) - 1);
  const key = option ? text.slice(option.start, option.end).toLowerCase() : '';
  const inner = path.at(-1)!;
  const operator = operatorOf(text, inner, form);
  if (key === ':in-order-to') return operator.endsWith('-op');
  if (!DEPENDENCIES.test(key)) return false;
  if (inner === value) return true;
  const index = inner.children.length - (form ? 1 : 0);
  return index === (operator === ':feature' ? 2 : 1);
}

/**
 * Returns the operator of an open list in lower case, including the colon of a keyword. Returns an empty string if `form`, which is being
 * typed, is the operator.
 */
function operatorOf(text: string, list: Form, form?: Form): string {
  const [first] = list.children;
  if (!first || first === form || first.kind !== 'atom') return '';
  const word = text.slice(first.body, first.end);
  return word.startsWith(':') ? word.toLowerCase() : operatorName(text, first);
}

/** Returns a name of the image in lower case if the reader would convert it back to upper case. */
export function downcased(name: string): string {
  return name === name.toUpperCase() ? name.toLowerCase() : name;
}

/** Returns the names of the packages that a text defines, in the image's spelling. */
export function packagesIn(text: string): string[] {
  return readText(text).forms.flatMap((form) => {
    const [operator, name] = form.children;
    const isDefinition = operator?.kind === 'atom' && DEFINES_PACKAGE.test(operatorName(text, operator));
    const defined = isDefinition && name ? designatedName(text, name) : null;
    return defined === null ? [] : [defined];
  });
}
