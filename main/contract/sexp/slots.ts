/** Finds the classes, structures and conditions that a text defines, and their slots, from the text only. */
import { operatorName } from './forms.ts';
import type { Form } from './reader.ts';

export interface WrittenSlot {
  /** The class's name without its package, in lower case. All other names in this file have the same form. */
  readonly name: string;
  /** The keywords that initialize the slot, without colons. */
  readonly initargs: readonly string[];
  /** The form that contains the slot's name. */
  readonly at: Form;
  /** The complete slot specification. */
  readonly form: Form;
}

export interface WrittenClass {
  readonly kind: 'class' | 'structure' | 'condition';
  readonly name: string;
  readonly supers: readonly string[];
  /** The constructor functions of a structure. */
  readonly constructors: readonly string[];
  readonly slots: readonly WrittenSlot[];
}

const DEFINES_CLASS = /^(?:defclass|define-condition|define-class)\*?$/;
/** Operators whose subforms are also treated as top-level forms. */
const AROUND = /^(?:progn|eval-when|locally|let|let\*|macrolet|symbol-macrolet)$/;

/** Returns the classes that the top-level forms of a text define, in order. */
export function classesIn(text: string, forms: readonly Form[]): WrittenClass[] {
  return forms.flatMap((form) => {
    const operator = nameIn(text, form.children[0]);
    if (form.kind !== 'list' || operator === null) return [];
    if (DEFINES_CLASS.test(operator)) return classOf(text, form);
    if (operator === 'defstruct') return structureOf(text, form);
    return AROUND.test(operator) ? classesIn(text, form.children.slice(1)) : [];
  });
}

function classOf(text: string, { children }: Form): WrittenClass[] {
  const name = nameIn(text, children[1]);
  if (name === null) return [];
  const slots = (children[3]?.children ?? []).flatMap((form) => {
    const at = form.kind === 'list' ? form.children[0] : form;
    const slot = nameIn(text, at);
    if (!at || slot === null) return [];
    const initargs = form.children.flatMap((each, index) => {
      const isKey = each.kind === 'atom' && text.slice(each.start, each.end).toLowerCase() === ':initarg';
      return isKey ? (nameIn(text, form.children[index + 1]) ?? []) : [];
    });
    return [{ name: slot, initargs, at, form }];
  });
  const supers = (children[2]?.children ?? []).flatMap((each) => nameIn(text, each) ?? []);
  const kind = operatorName(text, children[0]!).startsWith('define-condition') ? 'condition' : 'class';
  return [{ kind, name, supers, constructors: [], slots }];
}

function structureOf(text: string, { children }: Form): WrittenClass[] {
  const [, named, ...rest] = children;
  const name = nameIn(text, named?.kind === 'list' ? named.children[0] : named);
  if (name === null) return [];
  const options = (named?.kind === 'list' ? named.children.slice(1) : []).map((option) =>
    (option.kind === 'list' ? option.children : [option]).map((each) => nameIn(text, each) ?? ''),
  );
  const of = (option: string): string[] => options.flatMap(([key, value]) => (key === option && value ? [value] : []));
  const constructors = of('constructor');
  const slots = rest.flatMap((form) => {
    const at = form.kind === 'list' ? form.children[0] : form;
    const slot = nameIn(text, at);
    return at && slot !== null ? [{ name: slot, initargs: [slot], at, form }] : [];
  });
  return [
    {
      kind: 'structure',
      name,
      supers: of('include'),
      constructors: constructors.length > 0 ? constructors : [`make-${name}`],
      slots,
    },
  ];
}

/** Returns the name that an atom denotes; null for other forms. */
function nameIn(text: string, form: Form | undefined): string | null {
  return form?.kind === 'atom' ? operatorName(text, form) : null;
}
