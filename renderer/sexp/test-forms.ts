/** The forms of a text that define tests, found by their operators alone, so that they are there without an image. Pure. */
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

const found = new WeakMap<Reading, readonly TestForm[]>();

/** Returns the test forms of a text, in order. Those of a reading are looked for once. */
export function testFormsIn(text: string, reading: Reading): readonly TestForm[] {
  const known = found.get(reading);
  if (known) return known;
  const forms = reading.forms.flatMap((form) => testForm(text, reading, form) ?? []);
  found.set(reading, forms);
  return forms;
}

function testForm(text: string, reading: Reading, form: Form): TestForm | null {
  const [operator, second, body] = form.children;
  // With a name alone it is a call of something else: what defines a test says what the test does.
  if (
    form.kind !== 'list' ||
    operator?.kind !== 'atom' ||
    !second ||
    !body ||
    !OPERATORS.has(operatorName(text, operator))
  )
    return null;
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
