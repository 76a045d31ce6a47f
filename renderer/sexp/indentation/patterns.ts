/**
 * Indentation patterns. A pattern has an element for each argument of an operator; it determines the column of a line that begins with that
 * argument. The notation is Emacs's, in which SLIME users write their own patterns. A number is a column, counted from the operator's
 * parenthesis. `&body` means column two; `&lambda` is for a lambda list; `&rest` precedes the element for all remaining arguments; null is
 * the usual column. A nested pattern such as `['&whole', 4, '&rest', 1]` is for an argument that is a list: first its column, then its
 * elements.
 */

export type Pattern = readonly Part[];
export type Part = number | null | string | Pattern;

/** A pattern, a number of distinguished arguments before a body, or the name of a special method. */
export type Method = number | Pattern | Special;

type Special = 'defmethod' | 'defsetf' | 'do' | 'if*' | 'lambda' | 'loop' | 'tagbody';

const CLAUSES: Pattern = [4, '&rest', ['&whole', 2, '&rest', 1]];
const DEFINITION: Pattern = [4, '&lambda', '&body'];
const VARIABLE: Pattern = [4, 2, 2];
const BINDINGS: Pattern = [['&whole', 4, '&rest', ['&whole', 1, 1, 2]], '&body'];
const LOCAL_FUNCTIONS: Pattern = [['&whole', 4, '&rest', ['&whole', 1, 4, '&lambda', '&body']], '&body'];
const COUNTED: Pattern = [['&whole', 4, 2, 1], '&body'];
const HANDLERS: Pattern = [4, '&rest', ['&whole', 2, '&lambda', '&body']];
const NAMES_OF: Pattern = [['&whole', 6, '&rest', 1], 4, '&body'];
const CLASS: Pattern = [6, ['&whole', 4, '&rest', 1], ['&whole', 2, '&rest', 1], ['&whole', 2, '&rest', 1]];
const FUNCTION: Pattern = ['&lambda', '&rest', '&function'];

/** The methods of the standard's operators, and of a few other well-known ones. */
const STANDARD: Readonly<Record<string, Method>> = {
  block: 1,
  catch: 1,
  'eval-when': 1,
  locally: 1,
  'multiple-value-prog1': 1,
  prog1: 1,
  prog2: 2,
  progn: 0,
  return: 0,
  throw: 1,
  unless: 1,
  when: 1,
  'return-from': [null, '&body'],
  progv: [4, 4, '&body'],
  'unwind-protect': [5, '&body'],
  'multiple-value-call': [4, '&body'],
  'multiple-value-setq': [4, 2],
  'multiple-value-setf': [4, 2],
  if: ['&rest', null],
  'if*': 'if*',
  loop: 'loop',

  case: CLAUSES,
  ccase: CLAUSES,
  ecase: CLAUSES,
  typecase: CLAUSES,
  ctypecase: CLAUSES,
  etypecase: CLAUSES,
  cond: ['&rest', ['&whole', 2, '&rest', null]],
  'handler-case': HANDLERS,
  'restart-case': HANDLERS,

  let: BINDINGS,
  'let*': BINDINGS,
  'compiler-let': BINDINGS,
  'symbol-macrolet': BINDINGS,
  'handler-bind': BINDINGS,
  'restart-bind': BINDINGS,
  flet: LOCAL_FUNCTIONS,
  labels: LOCAL_FUNCTIONS,
  macrolet: LOCAL_FUNCTIONS,
  'generic-flet': LOCAL_FUNCTIONS,
  'generic-labels': LOCAL_FUNCTIONS,
  'destructuring-bind': ['&lambda', 4, '&body'],
  'multiple-value-bind': NAMES_OF,
  'with-accessors': NAMES_OF,
  'with-slots': NAMES_OF,
  'with-condition-restarts': NAMES_OF,
  'with-compilation-unit': [['&whole', 4, '&rest', 1], '&body'],
  'with-output-to-string': [4, 2],
  'with-standard-io-syntax': [2],
  'pprint-logical-block': [4, 2],
  'print-unreadable-object': [['&whole', 4, 1, '&rest', 1], '&body'],

  do: 'do',
  'do*': 'do',
  dolist: COUNTED,
  dotimes: COUNTED,
  tagbody: 'tagbody',
  prog: ['&lambda', '&rest', '&tagbody'],
  'prog*': ['&lambda', '&rest', '&tagbody'],
  lambda: FUNCTION,
  'named-lambda': [4, ...FUNCTION],

  defun: DEFINITION,
  defgeneric: DEFINITION,
  defmacro: DEFINITION,
  defsubst: DEFINITION,
  deftype: DEFINITION,
  'define-modify-macro': DEFINITION,
  'define-setf-expander': DEFINITION,
  'define-setf-method': DEFINITION,
  defmethod: 'defmethod',
  ':method': 'defmethod',
  defsetf: 'defsetf',
  defvar: VARIABLE,
  defparameter: VARIABLE,
  defconstant: VARIABLE,
  defconst: [4, 2, 2, 2],
  defcustom: [4, 2, 2, 2],
  defpackage: [4, 2],
  defclass: CLASS,
  'define-condition': CLASS,
  defstruct: [['&whole', 4, '&rest', ['&whole', 2, '&rest', 1]], '&rest', ['&whole', 2, '&rest', 1]],
  ':constructor': [4, '&lambda'],
};

/** The pattern of operators with names like definitions. */
export const DEFINING: Pattern = DEFINITION;

/** The pattern of operators named with-…, without-… and do-…. */
export const SURROUNDING: Pattern = ['&lambda', '&body'];

/** Returns the method of a standard operator, given by its name in lower case without a package prefix; null for other names. */
export function standardMethod(name: string): Method | null {
  return Object.hasOwn(STANDARD, name) ? STANDARD[name]! : null;
}

/** True for names such as `defroute`. Such a form is indented like a definition, except in a clause of another operator. */
export function isNamedLikeDefinition(name: string): boolean {
  return /^def(?!ault|inition|iner)/.test(name);
}

export function isNamedLikeSurrounding(name: string): boolean {
  return /^(with|without|do)-/.test(name);
}
