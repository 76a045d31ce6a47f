/**
 * Functions that an editor applies to a parsed text: they find the form at a caret, its package, and the definition that a form contains.
 */
import { deadForms } from './conditionals.ts';
import { type Form, type Reading } from './reader.ts';

export interface Span {
  start: number;
  end: number;
}

/**
 * Returns the form that *Evaluate form* evaluates at a caret: the form that ends at the caret; otherwise, the innermost form that contains
 * the caret or begins there; otherwise, the last form before it. At the operator of a call, returns the call, because an operator is not a
 * variable. Unquotes are removed: `,x` gives `x`.
 */
export function formAt(text: string, reading: Reading, caret: number): Span | null {
  const ending = deepest(reading.forms, (form) => form.end === caret && form.closed, caret);
  const holding = ending ?? deepest(reading.forms, (form) => form.start <= caret && caret < form.end, caret);
  const chosen = holding ?? lastBefore(reading.forms, caret);
  if (!chosen) return null;
  return evaluable(text, callOf(chosen));
}

/**
 * Returns the form that *Evaluate top-level form* evaluates: the top-level form around the caret; otherwise, the last one before it;
 * otherwise, the first one after it.
 */
export function topLevelAt(text: string, reading: Reading, caret: number): Span | null {
  const form = topLevelForm(reading, caret);
  return form ? evaluable(text, form) : null;
}

export function topLevelForm(reading: Reading, caret: number): Form | null {
  let before: Form | null = null;
  for (const form of reading.forms) {
    if (form.start > caret) return before ?? form;
    if (caret <= form.end) return form;
    before = form;
  }
  return before;
}

/**
 * Returns the package of the nearest `(in-package …)` that ends before the caret; null if there is none. The name has the letter case that
 * the image would store.
 */
export function packageAt(text: string, reading: Reading, caret: number): string | null {
  let found: string | null = null;
  for (const { start, end, name } of packageForms(text, reading)) {
    if (start >= caret) break;
    if (end <= caret) found = name;
  }
  return found;
}

interface PackageForm {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

const packageFormsOf = new WeakMap<Reading, readonly PackageForm[]>();

/** Returns the IN-PACKAGE forms of a text. The result is cached, because it is needed for each form of a long text. */
function packageForms(text: string, reading: Reading): readonly PackageForm[] {
  const known = packageFormsOf.get(reading);
  if (known) return known;
  const found = reading.forms.flatMap((form, index): PackageForm[] => {
    const [operator, designator] = form.children;
    if (form.kind !== 'list' || !operator || !designator || operatorName(text, operator) !== 'in-package') return [];
    const before = reading.forms[index - 1]?.end ?? 0;
    if (form.start - before > 2 && deadForms(text.slice(before, form.end)).length > 0) return [];
    const name = designatedName(text, designator);
    return name === null ? [] : [{ start: form.start, end: form.end, name }];
  });
  packageFormsOf.set(reading, found);
  return found;
}

/**
 * Returns the operator and the name of a defining form as written: `defmethod`, `discount (club-member line-item)`; null for other forms.
 */
export function definitionIn(text: string, form: Form): { operator: string; name: string } | null {
  const [operator, name, ...rest] = form.children;
  if (form.kind !== 'list' || !operator || !name || operator.kind !== 'atom') return null;
  const word = operatorName(text, operator);
  if (!word.startsWith('def') && !word.startsWith('define-')) return null;
  const shown = name.kind === 'list' && name.children[0] && word === 'defstruct' ? name.children[0] : name;
  let label = text.slice(shown.start, shown.end);
  if (word === 'defmethod') {
    const lambdaList = rest.find((child) => child.kind === 'list');
    if (lambdaList) label += ` (${specializers(text, lambdaList).join(' ')})`;
  }
  return { operator: word, name: label };
}

/** Returns the qualifiers and specializers of a DEFMETHOD form as written; null if the form has no lambda list. */
export function methodPartIn(text: string, form: Form): { qualifiers: string[]; specializers: string[] } | null {
  const parts = form.children.slice(2);
  const at = parts.findIndex(({ kind }) => kind === 'list');
  if (at === -1) return null;
  return {
    qualifiers: parts.slice(0, at).map(({ start, end }) => text.slice(start, end)),
    specializers: specializers(text, parts[at]!),
  };
}

function specializers(text: string, lambdaList: Form): string[] {
  const found: string[] = [];
  for (const parameter of lambdaList.children) {
    const word = text.slice(parameter.start, parameter.end);
    if (word.startsWith('&')) break;
    const specializer = parameter.kind === 'list' ? parameter.children[1] : null;
    found.push(specializer ? text.slice(specializer.start, specializer.end) : 't');
  }
  return found;
}

/** Returns the name of an operator without its package, in lower case. */
export function operatorName(text: string, operator: Form): string {
  const word = text.slice(operator.body, operator.end).toLowerCase();
  return word.slice(word.lastIndexOf(':') + 1);
}

/** Returns the name that a string, symbol or keyword designates, in the letter case that the image would store; null for other forms. */
export function designatedName(text: string, form: Form): string | null {
  const word = text.slice(form.body, form.end);
  if (form.kind === 'string') return form.closed ? word.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : null;
  if (form.kind !== 'atom') return null;
  const bare = word.replace(/^#?:/, '');
  return bare.startsWith('|') && bare.endsWith('|') && bare.length > 1 ? bare.slice(1, -1) : bare.toUpperCase();
}

function deepest(forms: readonly Form[], wanted: (form: Form) => boolean, caret: number): Form | null {
  let found: Form | null = null;
  let level = forms;
  for (;;) {
    let next: readonly Form[] | null = null;
    for (const form of level) {
      if (form.start > caret) break;
      if (form.end < caret) continue;
      if (wanted(form)) found = form;
      if (form.children.length > 0 && (next === null || caret < form.end || wanted(form))) next = form.children;
    }
    if (!next) return found;
    level = next;
  }
}

function lastBefore(forms: readonly Form[], caret: number): Form | null {
  let found: Form | null = null;
  for (const form of forms) if (form.end <= caret) found = form;
  return found ?? forms[0] ?? null;
}

function callOf(form: Form): Form {
  const { parent } = form;
  const isOperator = form.kind === 'atom' && form.start === form.body && parent !== null && parent.children[0] === form;
  return isOperator ? parent : form;
}

function evaluable(text: string, form: Form): Span {
  const prefix = text.slice(form.start, form.body);
  const comma = prefix.lastIndexOf(',');
  if (comma < 0) return { start: form.start, end: form.end };
  const past = prefix[comma + 1] === '@' || prefix[comma + 1] === '.' ? comma + 2 : comma + 1;
  return { start: form.start + past, end: form.end };
}
