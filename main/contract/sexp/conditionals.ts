/** Reader conditionals (`#+feature form`): determines which forms SBCL skips, using the image's features if they are known. */
import { type Form, readText } from './reader.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

const PRESENT = new Set(['sbcl', 'common-lisp', 'ansi-cl', 'ieee-floating-point']);
/** Features of other implementations, which SBCL never has. */
const ABSENT = new Set(
  'nil abcl allegro ccl clasp clisp clozure cmu cmucl corman ecl excl gcl genera lispworks mcl mkcl openmcl poplog scl xcl'.split(
    ' ',
  ),
);

/** The names of the features of an image, in lower case; null if they are unknown. */
export type Features = ReadonlySet<string> | null;

/** Returns the skipped forms in order; each span begins at its conditional. */
export function deadForms(
  text: string,
  forms: readonly Form[] = readText(text).forms,
  features: Features = null,
): Span[] {
  const found: Span[] = [];
  const visit = (level: readonly Form[], from: number): void => {
    let before = from;
    // A conditional that is itself skipped skips one more form: `#+nil #+nil a b`.
    let more = 0;
    for (const form of level) {
      // Conditionals are not part of a form: they are in the gap before the form.
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
  /** The position of the first conditional that skips the following form; null if the form is read. */
  readonly from: number | null;
  /** The number of forms that the conditionals in the gap skip. */
  readonly count: number;
}

const NONE: Dead = { from: null, count: 0 };

/**
 * Determines how many forms are skipped by the conditionals in the gap before a form. `isOut` is true if an earlier conditional already
 * skips the form.
 */
function deadIn(gap: string, features: Features, isOut: boolean): Dead {
  // Comments are replaced by blanks of the same length, so that offsets remain valid.
  const code = gap.replaceAll(/;[^\n]*|#\|[\s\S]*?\|#/g, (comment) => ' '.repeat(comment.length));
  let found = NONE;
  for (let at = nextConditional(code, 0); at !== null;) {
    const rest = code.slice(at + 2);
    const [expression] = readText(rest).forms;
    if (!expression) break;
    const holds = truth(rest, expression, features);
    if (holds !== null && holds !== (code[at + 1] === '+')) found = { from: found.from ?? at, count: found.count + 1 };
    // If a feature is unknown here, the number of skipped forms cannot be determined.
    else if (holds === null && (isOut || found.count > 0)) break;
    at = nextConditional(code, at + 2 + expression.end);
  }
  return found;
}

function nextConditional(code: string, from: number): number | null {
  const found = code.slice(from).search(/#[+-]/);
  return found < 0 ? null : from + found;
}

/**
 * Evaluates a feature expression. Returns null if the image's features are unknown and the result depends on the machine or on loaded code.
 */
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
