/** Decides whether code certainly does not change the image. Such code needs no checkpoint. */
import { type Form, scanOnly } from '#contract/sexp/reader.ts';

/** Operators of Common Lisp that change nothing if their arguments change nothing. */
const READING = new Set(
  (
    '+ - * / 1+ 1- = /= < <= > >= min max abs mod rem gcd lcm sqrt expt floor ceiling round truncate numberp integerp zerop plusp minusp evenp oddp ' +
    'quote function list list* cons car cdr caar cadr cddr first second third fourth fifth rest nth nthcdr last butlast length reverse append member assoc ' +
    'eq eql equal equalp not null and or if when unless progn values multiple-value-list ' +
    'atom consp listp symbolp stringp characterp functionp arrayp vectorp keywordp typep type-of class-of class-name ' +
    'symbol-name symbol-package symbol-value symbol-function fboundp boundp find-symbol find-package package-name find-class documentation ' +
    'char char-code code-char string string= string-equal string-upcase string-downcase subseq elt aref svref gethash getf hash-table-count ' +
    'lisp-implementation-type lisp-implementation-version machine-type get-universal-time get-internal-real-time'
  ).split(' '),
);

/** Longer code is not analyzed and counts as changing the image. */
const LIMIT = 2_000;

export function readsOnly(code: string): boolean {
  if (code.length > LIMIT || code.includes('#.')) return false;
  const { forms, missing, stray } = scanOnly(code);
  return missing === null && stray === null && forms.every((form) => readsForm(form, code));
}

function readsForm(form: Form, code: string): boolean {
  // Prefixes such as #' and ' precede the form's body. Any other prefix may change the form's meaning.
  const prefix = code.slice(form.start, form.body);
  if (!/^(?:'|#')*$/.test(prefix)) return false;
  if (form.kind !== 'list' || prefix.startsWith("'")) return true;
  const [operator, ...rest] = form.children;
  if (!operator || operator.kind !== 'atom') return false;
  return (
    READING.has(code.slice(operator.start, operator.end).toLowerCase()) && rest.every((each) => readsForm(each, code))
  );
}
