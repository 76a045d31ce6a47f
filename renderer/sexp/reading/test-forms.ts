/**
 * Finds the forms of a text that define tests. They are recognized by their operators alone, so that no image is needed. Forms that may
 * define tests by the person's own macro are found too, but the image must confirm them. Pure.
 */
import { designatedName, operatorName, packageAt } from '#contract/sexp/forms.ts';
import type { Form, Reading } from '#contract/sexp/reader.ts';

export interface TestForm {
  /** The name in the image's spelling: `ADDS`. */
  readonly name: string;
  /** The package of the text at the form, or the package prefix of the name; null if neither is known. */
  readonly package: string | null;
  /** The offsets of the form, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/** Test-defining operators of FiveAM, Fiasco, Parachute, Rove, lisp-unit2, RT and similar frameworks. */
const OPERATORS: ReadonlySet<string> = new Set([
  'test',
  'def-test',
  'deftest',
  'define-test',
  'define-test+run',
  'def-fiveam-test',
]);

/**
 * Operators whose subforms count as top-level forms if the operators' own forms are top-level forms, with the index of the first such
 * subform.
 */
const PROGN_LIKE: Readonly<Record<string, number>> = { progn: 1, locally: 1, 'eval-when': 2 };

/** A call whose first argument is a name, such as a call of a macro that defines tests. */
export interface NamingCall extends TestForm {
  /** The operator without its package, in capitals. */
  readonly operator: string;
}

interface Found {
  readonly tests: readonly TestForm[];
  readonly calls: readonly NamingCall[];
}

const found = new WeakMap<Reading, Found>();

/** Returns the test forms of a text, in order. The result for a reading is cached. */
export function testFormsIn(text: string, reading: Reading): readonly TestForm[] {
  return foundIn(text, reading).tests;
}

/** Returns the other top-level forms whose first argument is a name and that have at least one more argument, in order. */
export function namingCallsIn(text: string, reading: Reading): readonly NamingCall[] {
  return foundIn(text, reading).calls;
}

function foundIn(text: string, reading: Reading): Found {
  const known = found.get(reading);
  if (known) return known;
  const named = reading.forms
    .flatMap((form) => toplevelForms(text, form))
    .flatMap((form) => namingCall(text, reading, form) ?? []);
  const isTest = ({ operator }: NamingCall): boolean => OPERATORS.has(operator.toLowerCase());
  const all = { tests: named.filter(isTest), calls: named.filter((call) => !isTest(call)) };
  found.set(reading, all);
  return all;
}

/** Returns the top-level forms that a form contains, or the form itself. */
function toplevelForms(text: string, form: Form): readonly Form[] {
  const [operator] = form.children;
  const from = form.kind === 'list' && operator?.kind === 'atom' ? PROGN_LIKE[operatorName(text, operator)] : undefined;
  return from === undefined ? [form] : form.children.slice(from).flatMap((each) => toplevelForms(text, each));
}

function namingCall(text: string, reading: Reading, form: Form): NamingCall | null {
  const [operator, second, body] = form.children;
  // A form with only a name is not a test definition, because a test definition also has a body.
  if (form.kind !== 'list' || operator?.kind !== 'atom' || !second || !body) return null;
  const options = second.kind === 'list' && second.start === second.body;
  // In (test (name :suite s) …), options follow the name; in Parachute's (define-test (parent name) …), the parent precedes the name.
  const [first, next] = options ? second.children : [second, undefined];
  const isParent = next !== undefined && !text.slice(next.start, next.end).startsWith(':');
  const named = isParent ? next : first;
  if (!named) return null;
  const written = text.slice(named.start, named.end);
  const name = designatedName(text, named);
  if (name === null || name === '' || name.startsWith('(')) return null;
  const [, prefix, bare] = /^([^:#|]+)::?([^:]+)$/.exec(written) ?? [];
  return {
    operator: operatorName(text, operator).toUpperCase(),
    name: bare?.toUpperCase() ?? name,
    package: prefix?.toUpperCase() ?? packageAt(text, reading, form.start),
    start: form.start,
    end: form.end,
  };
}

/** Returns the test form around a caret or on its first line, or null. */
export function testFormAt(forms: readonly TestForm[], caret: number): TestForm | null {
  return forms.find(({ start, end }) => start <= caret && caret <= end) ?? null;
}
