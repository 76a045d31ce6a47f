/** Reader conditionals (`#+feature form`): which of them SBCL leaves out, as far as that can be told without the image. */
import { type Form, readText } from './reader.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

const PRESENT = new Set(['sbcl', 'common-lisp', 'ansi-cl', 'ieee-floating-point']);
/** The features of other implementations, which no SBCL has. */
const ABSENT = new Set(
  'nil abcl allegro ccl clasp clisp clozure cmu cmucl corman ecl excl gcl genera lispworks mcl mkcl openmcl poplog scl xcl'.split(
    ' ',
  ),
);

/** The forms that are left out, from their conditional on, in order. */
export function deadForms(text: string, forms: readonly Form[] = readText(text).forms): Span[] {
  const found: Span[] = [];
  const visit = (level: readonly Form[], from: number): void => {
    let before = from;
    for (const form of level) {
      // Conditionals are no part of a form: they stand in the gap before it.
      const start = form.start - before < 3 ? null : deadFrom(text.slice(before, form.start));
      if (start !== null) found.push({ start: before + start, end: form.end });
      else visit(form.children, form.body + 1);
      before = form.end;
    }
  };
  visit(forms, 0);
  return found;
}

/** The place of the first conditional in the gap before a form that leaves the form out; null where it is read. */
function deadFrom(gap: string): number | null {
  // Comments keep their length, so that places stay true.
  const code = gap.replaceAll(/;[^\n]*|#\|[\s\S]*?\|#/g, (comment) => ' '.repeat(comment.length));
  for (let at = nextConditional(code, 0); at !== null;) {
    const rest = code.slice(at + 2);
    const [expression] = readText(rest).forms;
    if (!expression) return null;
    const holds = truth(rest, expression);
    if (holds !== null && holds !== (code[at + 1] === '+')) return at;
    at = nextConditional(code, at + 2 + expression.end);
  }
  return null;
}

function nextConditional(code: string, from: number): number | null {
  const found = code.slice(from).search(/#[+-]/);
  return found < 0 ? null : from + found;
}

/** True when a feature expression holds; null where that depends on the machine or on what is loaded. */
function truth(text: string, form: Form): boolean | null {
  if (form.kind === 'atom') {
    const name = text.slice(form.body, form.end).toLowerCase().replace(/^.*:/, '');
    return PRESENT.has(name) ? true : ABSENT.has(name) ? false : null;
  }
  const [operator, ...parts] = form.children;
  if (form.kind !== 'list' || !operator) return null;
  const name = text.slice(operator.body, operator.end).toLowerCase().replace(/^:/, '');
  const values = parts.map((part) => truth(text, part));
  if (name === 'not') return values[0] === undefined || values[0] === null ? null : !values[0];
  if (name === 'or') return values.includes(true) ? true : values.includes(null) ? null : false;
  if (name === 'and') return values.includes(false) ? false : values.includes(null) ? null : true;
  return null;
}
