/** Reader conditionals (`#+feature form`): which of them SBCL leaves out, by the features of the image, or as far as that can be told without it. */
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

/** Names of the features of an image, in small letters; null where none is known. */
export type Features = ReadonlySet<string> | null;

/** The forms that are left out, from their conditional on, in order. */
export function deadForms(
  text: string,
  forms: readonly Form[] = readText(text).forms,
  features: Features = null,
): Span[] {
  const found: Span[] = [];
  const visit = (level: readonly Form[], from: number): void => {
    let before = from;
    // A conditional that is left out itself leaves out one form more: `#+nil #+nil a b`.
    let more = 0;
    for (const form of level) {
      // Conditionals are no part of a form: they stand in the gap before it.
      const dead = form.start - before < 3 ? NONE : deadIn(text.slice(before, form.start), features, more > 0);
      if (more > 0) found.push({ start: dead.from === null ? form.start : before + dead.from, end: form.end });
      else if (dead.from !== null) found.push({ start: before + dead.from, end: form.end });
      else visit(form.children, form.body + 1);
      more = Math.max(0, more - 1 + dead.count);
      before = form.end;
    }
  };
  visit(forms, 0);
  return found;
}

interface Dead {
  /** The place of the first conditional that leaves the form behind it out; null where it is read. */
  readonly from: number | null;
  /** Forms that are left out by the conditionals of the gap. */
  readonly count: number;
}

const NONE: Dead = { from: null, count: 0 };

/** Returns what the conditionals in the gap before a form leave out; `isOut` where the form is left out already. */
function deadIn(gap: string, features: Features, isOut: boolean): Dead {
  // Comments keep their length, so that places stay true.
  const code = gap.replaceAll(/;[^\n]*|#\|[\s\S]*?\|#/g, (comment) => ' '.repeat(comment.length));
  let found = NONE;
  for (let at = nextConditional(code, 0); at !== null;) {
    const rest = code.slice(at + 2);
    const [expression] = readText(rest).forms;
    if (!expression) break;
    const holds = truth(rest, expression, features);
    if (holds !== null && holds !== (code[at + 1] === '+')) found = { from: found.from ?? at, count: found.count + 1 };
    // Nobody can tell how many forms are left out behind a feature that is not known.
    else if (holds === null && (isOut || found.count > 0)) break;
    at = nextConditional(code, at + 2 + expression.end);
  }
  return found;
}

function nextConditional(code: string, from: number): number | null {
  const found = code.slice(from).search(/#[+-]/);
  return found < 0 ? null : from + found;
}

/** True when a feature expression holds; null where no image says what depends on the machine or on what is loaded. */
function truth(text: string, form: Form, features: Features): boolean | null {
  if (form.kind === 'atom') {
    const name = text.slice(form.body, form.end).toLowerCase().replace(/^.*:/, '');
    if (features) return features.has(name);
    return PRESENT.has(name) ? true : ABSENT.has(name) ? false : null;
  }
  const [operator, ...parts] = form.children;
  if (form.kind !== 'list' || !operator) return null;
  const name = text.slice(operator.body, operator.end).toLowerCase().replace(/^:/, '');
  const values = parts.map((part) => truth(text, part, features));
  if (name === 'not') return values[0] === undefined || values[0] === null ? null : !values[0];
  if (name === 'or') return values.includes(true) ? true : values.includes(null) ? null : false;
  if (name === 'and') return values.includes(false) ? false : values.includes(null) ? null : true;
  return null;
}
