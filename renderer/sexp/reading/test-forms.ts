/**
 * The forms of a text that define tests, found by their operators alone, so that they are there without an image; and those that may,
 * by a macro of the person's own, as the image can tell. Pure.
 */
import { designatedName, operatorName, packageAt } from '#contract/sexp/forms.ts';
import type { Form, Reading } from '#contract/sexp/reader.ts';

export interface TestForm {
  /** The name as the image has it: `ADDS`. */
  readonly name: string;
  /** The package of the text at the form, or the one that the name itself is written with; null where neither is known. */
  readonly package: string | null;
  /** UTF-16 offsets of the form. */
  readonly start: number;
  readonly end: number;
}

/** Operators of FiveAM, Fiasco, Parachute, Rove, lisp-unit2, RT and their like. */
const OPERATORS: ReadonlySet<string> = new Set([
  'test',
  'def-test',
  'deftest',
  'define-test',
  'define-test+run',
  'def-fiveam-test',
]);

/** Operators whose forms are top-level forms where they stand themselves, and where these begin. */
const PROGN_LIKE: Readonly<Record<string, number>> = { progn: 1, locally: 1, 'eval-when': 2 };

/** A call that names something first, as a macro that defines tests does. */
export interface NamingCall extends TestForm {
  /** The operator without its package, in capitals. */
  readonly operator: string;
}

interface Found {
  readonly tests: readonly TestForm[];
  readonly calls: readonly NamingCall[];
}

const found = new WeakMap<Reading, Found>();

/** Returns the test forms of a text, in order. Those of a reading are looked for once. */
export function testFormsIn(text: string, reading: Reading): readonly TestForm[] {
  return foundIn(text, reading).tests;
}

/** Returns the other top-level forms that name something first and go on, in order. */
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

/** A form, or those that are top-level forms within it. */
function toplevelForms(text: string, form: Form): readonly Form[] {
  const [operator] = form.children;
  const from = form.kind === 'list' && operator?.kind === 'atom' ? PROGN_LIKE[operatorName(text, operator)] : undefined;
  return from === undefined ? [form] : form.children.slice(from).flatMap((each) => toplevelForms(text, each));
}

function namingCall(text: string, reading: Reading, form: Form): NamingCall | null {
  const [operator, second, body] = form.children;
  // With a name alone it is a call of something else: what defines a test says what the test does.
  if (form.kind !== 'list' || operator?.kind !== 'atom' || !second || !body) return null;
  const options = second.kind === 'list' && second.start === second.body;
  // (test (name :suite s) …) has options after the name; (define-test (parent name) …) of Parachute the parent before it.
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

/** The test form that a caret is in, or on the first line of; null elsewhere. */
export function testFormAt(forms: readonly TestForm[], caret: number): TestForm | null {
  return forms.find(({ start, end }) => start <= caret && caret <= end) ?? null;
}
