/** Finds the slot that a name or a keyword in Lisp text refers to, from the form around it. Pure. */
import { operatorName } from '#contract/sexp/forms.ts';
import type { Form } from '#contract/sexp/reader.ts';
import type { WrittenClass, WrittenSlot } from '#contract/sexp/slots.ts';

export interface MeantSlot {
  /** The slot's name, or the name of the keyword that initializes the slot; in lower case, without package prefix and colon. */
  readonly name: string;
  readonly isInitarg: boolean;
  /** The class that has the slot, directly or by inheritance; null if the class cannot be determined from the text. */
  readonly class: string | null;
  /**
   * The function that takes the name as a keyword argument, which may be the constructor of a structure; null if there is no such function.
   */
  readonly constructor: string | null;
}

/** The position of the argument that names a slot, counted from 1. */
const ACCESS: Readonly<Record<string, number>> = {
  'slot-value': 2,
  'slot-boundp': 2,
  'slot-makunbound': 2,
  'slot-exists-p': 2,
  'slot-missing': 3,
  'slot-unbound': 3,
};
/**
 * The position of the argument that names a class and is followed by its initargs, counted from 1; 0 if no argument names the class and the
 * initargs follow the first argument.
 */
const MAKES: Readonly<Record<string, number>> = {
  'make-instance': 1,
  'make-condition': 1,
  error: 1,
  warn: 1,
  signal: 1,
  cerror: 2,
  'change-class': 2,
  'reinitialize-instance': 0,
};
const DEFINES_CLASS = /^(?:defclass|define-condition|define-class|defstruct)\*?$/;

/** Returns the slot that the name at an offset refers to; null if it does not refer to a slot. */
export function slotAt(text: string, forms: readonly Form[], offset: number): MeantSlot | null {
  const path: Form[] = [];
  let found: Form | undefined;
  for (let level = forms; ; level = found.children) {
    found = level.find(({ start, end }) => start <= offset && offset <= end);
    if (found?.kind !== 'list') break;
    path.push(found);
  }
  const list = path.at(-1);
  if (found?.kind !== 'atom' || !list) return null;
  const word = text.slice(found.body, found.end);
  return word.startsWith(':') ? initargAt(text, path, found) : nameAt(text, path, found);
}

function nameAt(text: string, path: readonly Form[], atom: Form): MeantSlot | null {
  const list = path.at(-1)!;
  const slot = { name: operatorName(text, atom), isInitarg: false, class: null, constructor: null };
  const index = list.children.indexOf(atom);
  const operator = operatorOf(text, list);
  if (index > 0 && ACCESS[operator] === index && text.slice(atom.start, atom.body) === "'") return slot;
  const isBound = (slots: Form | undefined, within: Form | undefined): boolean =>
    within !== undefined && operatorOf(text, within) === 'with-slots' && within.children[1] === slots;
  // A WITH-SLOTS binding is a slot name, or a list of a variable and a slot name.
  if (isBound(list, path.at(-2)) || (isBound(path.at(-2), path.at(-3)) && index === 1)) return slot;
  const defining = path.find((each) => DEFINES_CLASS.test(operatorOf(text, each)));
  if (!defining) return null;
  const isStructure = operatorOf(text, defining) === 'defstruct';
  const slots = isStructure ? defining.children.slice(2) : (defining.children[3]?.children ?? []);
  const isSlot = slots.includes(atom) || (slots.includes(list) && index === 0);
  return isSlot ? { ...slot, class: classOf(text, defining) } : null;
}

function initargAt(text: string, path: readonly Form[], atom: Form): MeantSlot | null {
  const list = path.at(-1)!;
  const index = list.children.indexOf(atom);
  const operator = operatorOf(text, list);
  const initarg = { name: operatorName(text, atom), isInitarg: true, class: null, constructor: null };
  const isKey = (first: number): boolean => index >= first && (index - first) % 2 === 0;
  if (Object.hasOwn(MAKES, operator)) {
    const at = MAKES[operator]!;
    const named = at > 0 ? list.children[at] : undefined;
    const isName = named?.kind === 'atom' && text.slice(named.start, named.body) === "'";
    return isKey(Math.max(1, at) + 1) ? { ...initarg, class: isName ? operatorName(text, named) : null } : null;
  }
  const defining = path.findLast((each) => DEFINES_CLASS.test(operatorOf(text, each)));
  if (defining) {
    const isDefault = operator === 'default-initargs' && isKey(1);
    // The keyword of a slot's own :INITARG option.
    const before = list.children[index - 1];
    const isOwn = before !== undefined && text.slice(before.start, before.end).toLowerCase() === ':initarg';
    return isDefault || isOwn ? { ...initarg, class: classOf(text, defining) } : null;
  }
  const [head] = list.children;
  const isCall =
    head?.kind === 'atom' && head !== atom && head.start === head.body && /^[^:]/.test(text.slice(head.body));
  return isCall && isKey(1) ? { ...initarg, constructor: operator } : null;
}

function classOf(text: string, { children }: Form): string | null {
  const named = children[1]?.kind === 'list' ? children[1].children[0] : children[1];
  return named?.kind === 'atom' ? operatorName(text, named) : null;
}

function operatorOf(text: string, list: Form): string {
  const [first] = list.children;
  return first?.kind === 'atom' ? operatorName(text, first) : '';
}

/**
 * Returns the slots that a name may refer to. If its class is known, these are slots of the class and its superclasses; otherwise slots of
 * any class.
 */
export function meantSlots<Class extends WrittenClass>(
  classes: readonly Class[],
  meant: MeantSlot,
): { class: Class; slot: WrittenSlot }[] {
  const all = classes.flatMap((each) =>
    each.slots
      .filter(({ name, initargs }) => (meant.isInitarg ? initargs.includes(meant.name) : name === meant.name))
      .map((slot) => ({ class: each, slot })),
  );
  const made = meant.constructor;
  if (made !== null) {
    const of = classes.filter(({ constructors }) => constructors.includes(made)).map(({ name }) => name);
    const above = new Set(of.flatMap((name) => [...withSupers(classes, name)]));
    return all.filter((each) => above.has(each.class.name));
  }
  if (meant.class === null) return all;
  const above = withSupers(classes, meant.class);
  const own = all.filter((each) => above.has(each.class.name));
  return own.length > 0 ? own : all;
}

function withSupers(classes: readonly WrittenClass[], name: string): Set<string> {
  const found = new Set([name]);
  for (const each of found)
    for (const { name: of, supers } of classes) if (of === each) supers.forEach((one) => found.add(one));
  return found;
}
